import DeckEngine
import DeckHost
import DeckJournal
import DeckWire
import MicroHTTP

/// A request with events, on its way into a session and back as an answer.
///
/// It is one object for the whole way, so that each of the closures on the way retains only this.
final class EventPosting: Sendable {
    private let call: Call
    private let decks: DeckLibrary
    private let sessions: SessionTable
    private let parsers: ParserPool
    private let refusals: RefusalMetrics
    /// Whether the request is a dry run.
    private let isRehearsal: Bool
    private let withFrame: Bool
    private let extras: EventExtras
    private let condition: VersionCondition
    private let key: OperationKey?

    private static let parameters = ["frame", "dryRun", "include"]
    private static let frameWords = ["none", "full"]

    /// Reads the query and the headers of a request.
    init(
        _ call: Call,
        decks: DeckLibrary,
        sessions: SessionTable,
        parsers: ParserPool,
        refusals: RefusalMetrics
    ) throws(Problem) {
        let head = call.request.head
        let query = try Query(head.target, allowing: Self.parameters)
        isRehearsal = try query.flag("dryRun")
        withFrame = try query.word("frame", of: Self.frameWords) != "none"
        extras = try EventExtras(query)
        guard !extras.hasSnapshot || !isRehearsal else {
            throw Problem(.malformedQuery, "The response to a dry run has no snapshot.")
        }
        condition = VersionCondition(try EntityTags.ifMatch(head.headers))
        key = try OperationKey(head.headers, path: head.target.path, body: call.request.body)
        self.call = call
        self.decks = decks
        self.sessions = sessions
        self.parsers = parsers
        self.refusals = refusals
    }

    /// Applies the events to the session in the path, and answers then or later.
    func apply(to session: HostedSession) throws(Problem) {
        let requests = try parsers.read(call.request.body) { value throws(WireError) in
            try EventRequest.read(value, keepingText: session.identity.isRecorded)
        }
        guard let deck = session.identity.deck, requests.contains(where: \.readsTheDeck) else {
            return try apply(requests, rereading: nil, to: session)
        }
        decks.find(deck) { [self] result in
            call.finish { () throws(Problem) in
                try apply(requests, rereading: try result.get()?.document, to: session)
                return .later
            }
        }
    }

    private func apply(
        _ requests: [EventRequest],
        rereading deck: DeckDocument?,
        to session: HostedSession
    ) throws(Problem) {
        var operation = Operation(.events(requests, rereading: deck))
        operation.condition = condition
        operation.key = isRehearsal ? nil : key
        operation.isRehearsal = isRehearsal
        operation.isByPlayer = call.role == .player
        operation.cost = session.cost(of: requests, rereading: deck, call.prices)
        // The request itself was one unit.
        try call.charge(operation.cost - 1, to: session)
        let types = requests.map(\.type)
        let save = operation.key.map { _ in
            { @Sendable (outcome: OperationOutcome) in SavedOutcome(outcome, types: types).bytes }
        }
        sessions.perform(operation, on: session, savingOutcome: save) { [self] result in
            call.finishOnWorker { [self] () throws(Problem) in
                try answer(try result.found(), to: types, of: session)
            }
        }
    }

    /// The answer with the result of an operation.
    private func answer(
        _ result: OperationResult,
        to types: [StaticString],
        of session: HostedSession
    ) throws(Problem) -> Reply {
        let form = form(of: types, in: session)
        switch result {
        case .appliedBefore(let saved):
            replay(saved, of: session, form)
            return .later
        case .applied(let outcome):
            if !isRehearsal { refusals.add(outcome.outcomes) }
            return .now(form.response(form.body(outcome), isReplay: false))
        }
    }

    private func form(of types: [StaticString], in session: HostedSession) -> EventAnswer {
        EventAnswer(
            session: session.identity.id,
            types: types,
            withFrame: withFrame,
            frameExtras: extras.frame,
            // The cards that a player's dry run brings to the front are not shown.
            readable: isRehearsal && call.role == .player ? .none : .all,
            snapshot: extras.snapshot(of: session, for: call.role)
        )
    }

    /// Answers with the saved outcome of an earlier request with the same key, in the form of this request.
    private func replay(_ saved: [UInt8], of session: HostedSession, _ form: EventAnswer) {
        sessions.read(session) { [call] sight in
            call.finishOnWorker { () throws(Problem) in
                let present = try sight.found().state.session
                return .now(form.response(form.body(try SavedOutcome(saved), present), isReplay: true))
            }
        }
    }
}
