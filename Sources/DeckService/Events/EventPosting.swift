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
    private let refusals: RefusalMetrics
    private let demand: EventDemand

    init(
        _ call: Call,
        _ demand: EventDemand,
        decks: DeckLibrary,
        sessions: SessionTable,
        refusals: RefusalMetrics
    ) {
        self.call = call
        self.demand = demand
        self.decks = decks
        self.sessions = sessions
        self.refusals = refusals
    }

    /// Applies the events to the session in the path, and answers then or later.
    func apply(to session: HostedSession) throws(Problem) -> Reply {
        let requests = try JSONParser.read(body: call.request.body) { value throws(WireError) in
            try EventRequest.read(value, keepingText: session.identity.isRecorded)
        }
        guard let deck = session.identity.deck, requests.contains(where: \.readsTheDeck) else {
            return try apply(requests, rereading: nil, to: session)
        }
        decks.find(deck, latest: true) { [self] result in
            call.finish { () throws(Problem) in
                try apply(requests, rereading: try result.get()?.document, to: session)
            }
        }
        return .later
    }

    private func apply(
        _ requests: [EventRequest],
        rereading deck: DeckDocument?,
        to session: HostedSession
    ) throws(Problem) -> Reply {
        var operation = Operation(.events(requests, rereading: deck))
        operation.condition = demand.condition
        operation.key = demand.isDryRun ? nil : demand.key(of: call.request.body)
        operation.isDryRun = demand.isDryRun
        operation.isByPlayer = call.role == .player
        operation.cost = session.cost(of: requests, rereading: deck, call.prices)
        // The request itself was one unit.
        try call.take(operation.cost - 1, from: session)
        if call.isOnWorker, let result = sessions.performAtOnce(operation, on: session) {
            let outcome = try result.getOrProblem()
            return .next { [self] () throws(Problem) in try answer(.applied(outcome), to: requests, of: session) }
        }
        let save = operation.key.map { _ in
            { @Sendable (outcome: OperationOutcome) in SavedOutcome(outcome, of: requests).bytes }
        }
        sessions.perform(operation, on: session, savingOutcome: save) { [self] result in
            call.finishOnWorker { [self] () throws(Problem) in
                try answer(try result.getOrProblem(), to: requests, of: session)
            }
        }
        return .later
    }

    /// The answer with the result of an operation.
    private func answer(
        _ result: OperationResult,
        to requests: [EventRequest],
        of session: HostedSession
    ) throws(Problem) -> Reply {
        let form = form(of: requests, in: session)
        switch result {
        case .appliedBefore(let saved):
            replay(saved, of: session, form)
            return .later
        case .applied(let outcome):
            if !demand.isDryRun { refusals.add(outcome.outcomes) }
            call.charge(call.prices.costOfQueue(triedBy: requests, in: outcome))
            // The request itself was one unit.
            if demand.withFrame { call.charge(outcome.withSession { call.prices.cost(ofFrameOf: $0) } - 1) }
            return .now(form.response(form.body(outcome), isReplay: false))
        }
    }

    private func form(of requests: [EventRequest], in session: HostedSession) -> EventForm {
        EventForm(
            session: session.identity.id,
            requests: requests,
            withFrame: demand.withFrame,
            frameExtras: demand.extras.frame,
            // The cards that a player's dry run brings to the front are not shown.
            readable: demand.isDryRun && call.role == .player ? .none : .all,
            snapshot: demand.extras.snapshot(of: session, for: call.role)
        )
    }

    /// Answers with the saved outcome of an earlier request with the same key, in the form of this request.
    private func replay(_ saved: [UInt8], of session: HostedSession, _ form: EventForm) {
        sessions.read(session) { [call] committed in
            call.finishOnWorker { () throws(Problem) in
                let present = try committed.getOrProblem().state.session
                return .now(form.response(form.body(try SavedOutcome(saved), present), isReplay: true))
            }
        }
    }
}
