import Foundation
import Testing

/// `deckd replay` in a separate process.
struct ReplayCommandTests {
    @Test func aLogIsPlayedLineByLine() throws {
        let log = """
            {"session":"s","viewport":{"width":300,"height":408},"startIndex":0,"appear":false,"deck":{"count":3}}
            {"at":100,"event":{"type":"swipe","direction":"left"}}
            {"at":200,"event":{"type":"revert"}}

            """
        try Command.withFile(log) { path in
            let result = try Command.run("replay", path)
            #expect(result.status == 0)
            let frames = result.output.split(separator: "\n")
            #expect(frames.count == 3)
            #expect(frames.allSatisfy { $0.hasPrefix(#"{"session":"s","version":"#) })
            #expect(frames[1].contains(#""currentIndex":1,"#))
            #expect(frames[2].contains(#""at":200,"currentIndex":0,"#))
        }
    }

    @Test func aBadLineIsNamedAndEndsWithStatus1() throws {
        let log = """
            {"session":"s","viewport":{"width":300,"height":408},"startIndex":0,"appear":false,"deck":{"count":3}}
            {"at":100,"event":{"type":"swipe","direction":"north"}}

            """
        try Command.withFile(log) { path in
            let result = try Command.run("replay", path)
            #expect(result.status == 1)
            #expect(result.errors.contains("line 2: /event/direction"))
            #expect(result.output.split(separator: "\n").count == 1)
        }
    }

    @Test func aLogThatCannotBeReadOrIsEmptyEndsWithStatus1() throws {
        for path in ["/nowhere/at/all", "/"] {
            let result = try Command.run("replay", path)
            #expect(result.status == 1 && result.complaint == "deckd: the log \(path) cannot be read")
        }
        let result = try Command.run("replay", "/dev/null")
        #expect(result.status == 1 && result.complaint == "deckd: the log /dev/null is empty")
    }
}
