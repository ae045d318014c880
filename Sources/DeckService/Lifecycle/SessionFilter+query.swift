import DeckJournal
import DeckWire

extension SessionFilter {
    /// The names of the query's parameters.
    static let parameters = ["idPrefix", "deck", "user"]

    /// With fewer characters, the index of ids would find too many sessions of a large server.
    private static let shortestPrefix = 4

    /// Reads the parameters of a query that select sessions.
    init(_ query: Query) throws(Problem) {
        let prefix = try query.identifier("idPrefix")
        guard prefix.map({ $0.utf8.count >= Self.shortestPrefix }) ?? true else {
            throw Problem(
                .malformedQuery,
                "The parameter idPrefix must have at least \(Self.shortestPrefix) characters."
            )
        }
        self.init(idPrefix: prefix, deck: try query.identifier("deck"), user: try query.user("user"))
    }

    /// The parameters in the query of the next page.
    var query: String {
        [("idPrefix", idPrefix), ("deck", deck), ("user", user?.text)].compactMap { name, value in
            value.map { "&\(name)=\($0.percentEncoded)" }
        }.joined()
    }
}
