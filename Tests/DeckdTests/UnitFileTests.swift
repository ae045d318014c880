import FileTesting
import Foundation
import Testing

/// The units that are shipped, as systemd's own program judges them.
@Suite struct UnitFileTests {
    private static let config = Command.repository.appending(path: "config")

    /// The lines of a unit that are settings, by name; those that are given more than once, in order.
    private func settings(_ unit: String) throws -> [String: [String]] {
        let text = try String(contentsOf: Self.config.appending(path: unit), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") && $0.contains("=") }
        return Dictionary(grouping: lines) { String($0.prefix { $0 != "=" }) }
            .mapValues { $0.map { String($0.drop { $0 != "=" }.dropFirst()) } }
    }

    /// Copies of the units in a folder, with the program that was built for the one that would be installed.
    private func withUnits(_ body: (_ service: String, _ socket: String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        for unit in ["deckd.service", "deckd.socket"] {
            let text = try String(contentsOf: Self.config.appending(path: unit), encoding: .utf8)
                .replacing("/usr/local/bin/deckd", with: Command.executable)
            try text.write(to: folder.url(unit), atomically: true, encoding: .utf8)
        }
        try body(folder.file("deckd.service"), folder.file("deckd.socket"))
    }

    private func analyze(_ arguments: String...) throws -> Command.Result {
        try Command.run("/usr/bin/env", ["systemd-analyze"] + arguments)
    }

    @Test func systemdTakesTheUnits() throws {
        try withUnits { service, socket in
            let result = try analyze("verify", "--man=no", service, socket)
            #expect(result.status == 0)
            #expect(result.errors.isEmpty && result.output.isEmpty, "\(result)")
        }
    }

    @Test func theServiceIsExposedToLittle() throws {
        try withUnits { service, _ in
            // Tenths of a point out of ten; what is left is the network and the one file that it is there for.
            let result = try analyze("security", "--offline=true", "--no-pager", "--threshold=15", service)
            #expect(result.status == 0, "\(result.output)")
        }
    }

    @Test func theUnitsAgreeWithTheSettings() throws {
        let service = try settings("deckd.service")
        let defaults = try Command.run("check-config").output
        func setting(_ name: String) throws -> Int {
            let pattern = try Regex("\(name): ([0-9]+)", as: (Substring, Substring).self)
            return try #require(defaults.firstMatch(of: pattern).flatMap { Int($0.1) }, "\(name)")
        }
        func seconds(_ name: String) throws -> Int {
            try #require(service[name]?.first.flatMap { Int($0.dropLast()) }, "\(name)")
        }
        #expect(try seconds("TimeoutStopSec") >= setting("stopGraceSeconds") + 5)
        let files = try #require(service["LimitNOFILE"]?.first.flatMap { Int($0) })
        // As many as the server raises its limit to.
        #expect(try files >= setting("connections") + 256 * 5 + 128)
        let host = try #require(defaults.firstMatch(of: /host: (\S+)/)?.1)
        let address = "\(host):\(try setting("port"))"
        #expect(try settings("deckd.socket")["ListenStream"] == [address])
    }
}
