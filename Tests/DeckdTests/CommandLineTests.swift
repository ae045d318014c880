import Testing

@Suite struct CommandLineTests {
    @Test func theVersionIsOneLineWithThatOfTheLibrary() throws {
        let result = try Command.run("--version")
        #expect(result.status == 0)
        #expect(result.output.wholeMatch(of: /deckd \d+\.\d+\.\d+ \(libmicrohttpd \d+\.\d+\.\d+\)\n/) != nil)
        #expect(result.errors.isEmpty)
    }

    @Test func helpNamesTheCommandsAndTheFlags() throws {
        let help = try Command.run("--help")
        #expect(help.status == 0)
        for word in ["serve", "check-config", "key", "--version", "DECKD_PORT"] { #expect(help.output.contains(word)) }
        let serve = try Command.run("serve", "--help")
        #expect(serve.status == 0)
        for word in ["--host", "--port", "--config"] { #expect(serve.output.contains(word)) }
        let nothing = try Command.run()
        #expect(nothing.status == 0)
        #expect(nothing.output.contains("serve"))
    }

    /// A key is printed once, and is then lost.
    @Test(arguments: ["key backend", "check-config", "replay -"])
    func outputThatIsLostIsAFailure(command: String) throws {
        let log = #"{"session":"s","viewport":{"width":9,"height":9},"startIndex":0,"appear":false,"deck":{"count":1}}"#
        let script = "echo '\(log)' | '\(Command.executable)' \(command) > /dev/full"
        let result = try Command.run("/bin/sh", ["-c", script])
        #expect(result.status == 1)
        #expect(result.complaint == "deckd: standard output: No space left on device", "\(result)")
    }

    @Test func whatIsNoFlagIsNamedAndRefused() throws {
        for arguments in [["--prot", "1"], ["serve", "--prot", "1"], ["check-config", "--prot"]] {
            let result = try Command.run(Command.executable, arguments)
            #expect(result.status == 64)
            #expect(result.errors.contains("'--prot'"))
            #expect(result.output.isEmpty)
        }
        let number = try Command.run("serve", "--port", "x")
        #expect(number.status == 64)
        #expect(number.errors.contains("'x'") && number.errors.contains("--port"))
    }
}
