import FileTesting
import Foundation
import JSONTesting
import SocketTesting
import Testing

/// A database of a former release, read by this one.
///
/// Release 0.1.0 wrote `Releases/format-1.sqlite`: sessions on manual clocks in as many states as there are, most of them
/// in the midst of a movement. It was then started again on a copy of that file, and its answers were recorded in
/// `Releases/format-1.json`. No answer depends on when it is asked for, so none of their members is left out here.
@Suite(.serialized) struct FormerReleaseTests {
    /// What was recorded of one session.
    struct Recording: Decodable {
        var name: String
        /// The session's token, which its requests are sent with; nil: they are sent without credentials.
        var token: String?
        var reads: [Request]
        /// A revert and then a redo, six seconds later on the session's clock.
        var events: [Request]
    }

    struct Request: Decodable {
        var path: String
        /// The request's body; nil: the request is a `GET`.
        var body: String?
        var status: Int
        var answer: JSON
    }

    /// Where answers differ on purpose, by the session's name.
    private static let intended: [String: [String]] = [
        // The overlay's opacity did not follow the overlay's own curve.
        "a nudge": ["/motion/3/easing is "],
        // A card that has another index since its verdict was announced by its id, though it has a label.
        "a list rearranged": ["/accessibility/announcement is "],
        // A verdict is named as in every row of the feed. The revision of a deck was a number.
        "decks, the feed and a session that has ended": (0..<5).map { "/verdicts/\($0)/type is " }
            + (0..<3).map { "/decks/\($0)/revision is " },
        // A card that fades in after a revert did not continue, but began again when the cards behind it changed.
        "recorded": ["/cards/0/opacity is "],
        // A repeated swipe did not report that the first card follows the last.
        "a loop of one card": ["/notifications is ", "/frame/lastNotification is "],
        // A card that is no longer in the deck had a position.
        "a stored deck, read again": ["/cards/2/position is "],
    ]

    private static let recordings: [Recording] = {
        guard let file = Bundle.module.url(forResource: "format-1", withExtension: "json", subdirectory: "Releases"),
            let data = try? Data(contentsOf: file),
            let recordings = try? JSONDecoder().decode([Recording].self, from: data)
        else { return [] }
        return recordings
    }()

    static let database = Bundle.module.url(forResource: "format-1", withExtension: "sqlite", subdirectory: "Releases")

    /// Starts a server on a copy of the database.
    private func withServer(_ body: (Int) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let copy = folder.url("deckd.sqlite")
        try FileManager.default.copyItem(at: try #require(Self.database), to: copy)
        // Sessions that were not used for 30 days would be ended, and these were last used when they were recorded.
        let server = try RunningServer(environment: ["DECKD_LIMITS_IDLE_SESSION_DAYS": "36500"], data: copy.path)
        try body(try server.port())
    }

    private func compare(_ recorded: Request, of recording: Recording, _ port: Int) throws {
        let given = try #require(
            Answer(
                port,
                recorded.body == nil ? "GET" : "POST",
                recorded.path,
                recorded.body ?? "",
                headers: recording.token.map { ["Authorization: Bearer \($0)"] } ?? []
            )
        )
        #expect(given.status == recorded.status, "\(recording.name): \(recorded.path)")
        let intended = Self.intended[recording.name] ?? []
        let differences = recorded.answer.differences(in: try JSON(parsing: given.body)).filter { difference in
            !intended.contains { difference.hasPrefix($0) }
        }
        #expect(differences == [], "\(recording.name): \(recorded.path) \(recorded.body ?? "")")
    }

    @Test func everySessionIsReadAsItWas() throws {
        #expect(Self.recordings.count == 49)
        try withServer { port in
            for recording in Self.recordings {
                #expect(!recording.reads.isEmpty)
                for answer in recording.reads { try compare(answer, of: recording, port) }
            }
        }
    }

    @Test func everySessionGoesOnAsItWouldHave() throws {
        #expect(Self.recordings.flatMap(\.events).count == 96)
        try withServer { port in
            for recording in Self.recordings {
                for answer in recording.events { try compare(answer, of: recording, port) }
            }
        }
    }

    @Test func aDifferenceIsNoticed() throws {
        let recorded = try JSON(parsing: #"{"a":[1,2.5],"b":null,"easing":"linear(0 0%, 1 2.5%)","c":true}"#)
        func differences(_ text: String) throws -> [String] {
            recorded.differences(in: try JSON(parsing: text))
        }
        let same = #"{"c":true,"new":{"a":1},"easing":"linear(0 0%, 0.999999 2.5%)","a":[1.000001,2.5],"b":null}"#
        #expect(try differences(same) == [])
        let other = #"{"c":1,"easing":"linear(0 0%, 1 2.6%)","a":[1.00001,2.5]}"#
        #expect(try differences(other).map { $0.prefix { $0 != " " } } == ["/a/0", "/b", "/c", "/easing"])
        #expect(try differences(#"{"c":true,"easing":"ease","a":[1],"b":null}"#).count == 2)
    }
}
