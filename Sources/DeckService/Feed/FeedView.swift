import DeckJournal
import DeckWire

/// A path of the feed.
enum FeedView: Sendable {
    /// Every row.
    case all
    /// Verdicts that were given or reverted.
    case verdicts

    var path: String {
        switch self {
        case .all: "/v1/feed"
        case .verdicts: "/v1/verdicts"
        }
    }

    /// The start of a page, up to its list.
    var pageStart: StaticString {
        switch self {
        case .all: "{\"rows\":["
        case .verdicts: "{\"verdicts\":["
        }
    }

    /// The names of the query's parameters.
    var parameters: [String] {
        let common = ["deck", "user", "session", "after", "limit"]
        return self == .all ? ["types"] + common : common
    }

    /// The kinds of its rows; nil: the client chooses them.
    fileprivate var kinds: Set<FeedRecord.Kind>? {
        switch self {
        case .all: nil
        case .verdicts: [.given, .reverted]
        }
    }
}

extension FeedFilter {
    /// Reads the parameters of a query that select rows.
    init(_ query: Query, _ view: FeedView) throws(Problem) {
        var kinds = view.kinds
        if kinds == nil, let types = query.text("types") { kinds = try Self.kinds(types) }
        self.init(
            kinds: kinds,
            deck: try query.identifier("deck"),
            user: try query.user("user"),
            session: try query.identifier("session")
        )
    }

    private static func kinds(_ list: String) throws(Problem) -> Set<FeedRecord.Kind> {
        var kinds: Set<FeedRecord.Kind> = []
        for name in list.split(separator: ",", omittingEmptySubsequences: false) {
            let kind = FeedRecord.Kind.allCases.first { $0.name == name }
            guard let kind, kinds.insert(kind).inserted else {
                let known = FeedRecord.Kind.allCases.map(\.name).joined(separator: ", ")
                throw Problem(.malformedQuery, "The parameter types must be a list without repetition of: \(known).")
            }
        }
        return kinds
    }

    /// The parameters in the query of the next page.
    func parameters(in view: FeedView) -> String {
        var text = ""
        if view.kinds == nil, let kinds {
            let names = FeedRecord.Kind.allCases.filter(kinds.contains).map(\.name)
            text += "&types=\(names.joined(separator: ","))"
        }
        if let deck { text += "&deck=\(deck)" }
        if let user { text += "&user=\(user.text.percentEncoded)" }
        if let session { text += "&session=\(session)" }
        return text
    }
}

extension FeedRecord.Kind {
    /// The name on the wire.
    var name: String {
        switch self {
        case .given: "verdict"
        case .reverted: "reverted"
        case .pending: "pending"
        case .needsCards: "needsCards"
        case .ranOut: "ranOut"
        case .ended: "ended"
        }
    }
}
