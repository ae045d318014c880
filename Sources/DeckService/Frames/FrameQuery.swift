import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

/// How a client wants its frames: which members, what beyond them, and the notifications since when.
struct FrameQuery: Sendable {
    static let names = ["since", "fields", "include"]

    let members: FrameMembers
    let extras: FrameExtras
    /// The number of the last notification that the client knows; nil: it wants none.
    var since: Int?

    init(_ query: Query) throws(Problem) {
        since = try query.integer("since", in: 0...Int.max)
        if let list = query.text("fields") {
            guard let members = FrameMembers(list) else {
                throw Problem(
                    .malformedQuery,
                    "The parameter fields must be a list of these members: \(FrameMembers.knownNames)."
                )
            }
            self.members = members
        } else {
            members = .all
        }
        extras = try Self.extras(query)
    }

    /// What a client wants of frames beyond their members.
    private static func extras(_ query: Query) throws(Problem) -> FrameExtras {
        guard let list = query.text("include") else { return FrameExtras() }
        guard let extras = FrameExtras(list) else {
            throw Problem(.malformedQuery, "The parameter include must be a list of: \(FrameExtras.knownNames).")
        }
        return extras
    }
}
