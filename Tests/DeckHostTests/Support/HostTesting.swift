import DeckEngine
import DeckJournal
import DeckWire
import Locking

@testable import DeckHost

extension SessionTable {
    /// A table that has room for everything that a test does not limit.
    convenience init(
        _ journal: any Journal,
        residents: Int = 9999,
        idleTime: Duration = .seconds(600),
        commitTime: Duration = .seconds(60)
    ) {
        var limits = HostLimits(sessions: 9999, residentSessions: residents, residentIdleTime: idleTime)
        limits.commitTime = commitTime
        self.init(journal: journal, limits: limits)
    }

    /// Creates a session of some cards.
    @discardableResult
    func create(
        cards: Int = 9,
        isRecorded: Bool = false,
        rules: String = "{}",
        clock: String = "manual",
        key: String? = nil
    ) async throws -> HostedSession {
        let more = isRecorded ? #","record":true"# : ""
        let deck = #"{"count":\#(cards),"rules":\#(rules)}"#
        let text = #"{"deck":\#(deck),"clock":"\#(clock)","viewport":{"width":100,"height":100}\#(more)}"#
        let request = try JSONParser().read(Array(text.utf8)) { value throws(WireError) in try SessionRequest(value) }
        guard case .inline(let document) = request.source else { throw HostError.notFound }
        let key = key.map { CreationKey(OperationKey($0, fingerprint: []), ofOwner: nil, credential: nil) }
        let result = try await host { create(request, with: document, deck: nil, owner: nil, once: key, $0) }
        guard case .created(let created) = result else { throw HostError.notFound }
        return created.session
    }

    /// Copies a session as it is, or as it was at a time.
    func fork(_ origin: HostedSession, at time: Instant? = nil, key: String? = nil) async throws -> HostedSession {
        let key = key.map {
            CreationKey(OperationKey($0, fingerprint: []), ofForkOf: origin.identity.id, credential: nil)
        }
        let result = try await host { fork(origin, at: time, paying: origin.payment, once: key, $0) }
        guard case .created(let copy) = result else { throw HostError.notFound }
        return copy.session
    }

    func find(_ id: String) async throws -> HostedSession {
        try await host { find(id, $0) }
    }

    func read(_ session: HostedSession) async throws -> HostedSession.State {
        try await host { read(session, $0) }.state
    }

    /// The numbers of the verdicts that the journal has of a session.
    func standingVerdicts(of session: HostedSession) async throws -> [Int] {
        try await host { journal.standingVerdicts(of: session.identity.id, paying: { _ in }, $0) }
    }

    func end(_ id: String) async throws {
        try await host { end(id, $0) }
    }

    func perform(_ operation: Operation, on session: HostedSession) async throws -> OperationResult {
        try await host { perform(operation, on: session, savingOutcome: { Array("\($0.session.version)".utf8) }, $0) }
    }

    /// Swipes a card, and says which version the session has then.
    @discardableResult
    func swipe(_ session: HostedSession, key: String? = nil) async throws -> Int {
        let operation = try Operation.event(#"{"type":"swipe","direction":"left","at":1000000000}"#, key: key)
        switch try await perform(operation, on: session) {
        case .applied(let outcome): return outcome.session.version
        case .appliedBefore(let bytes): return Int(String(decoding: bytes, as: UTF8.self)) ?? -1
        }
    }
}

extension HostedSession {
    /// How many changes wait.
    var waitingCount: Int { inside.withLock { $0.hold.waiting.count } }

    /// A request of a player pays with this.
    var payment: Payment { Payment(from: account, by: .player) }
}

extension Operation {
    /// One event, as a client would send it.
    static func event(_ text: String, key: String? = nil) throws -> Operation {
        let requests = try JSONParser().read(Array(text.utf8)) { value throws(WireError) in
            try EventRequest.read(value, keepingText: true)
        }
        var operation = Operation(.events(requests, rereading: nil))
        operation.key = key.map { OperationKey($0, fingerprint: Array(text.utf8)) }
        return operation
    }
}

/// Waits for what the host completes. A second completion would trap.
func host<Value: Sendable>(
    _ ask: (@escaping @Sendable (Result<Value, HostError>) -> Void) -> Void
) async throws -> Value {
    try await withCheckedContinuation { continuation in
        ask { continuation.resume(returning: $0) }
    }.get()
}

/// Waits until a condition is met, for a minute.
func until(_ condition: @Sendable () -> Bool) async throws {
    struct NotMet: Error {}
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
        guard ContinuousClock.now < deadline else { throw NotMet() }
        try await Task.sleep(for: .milliseconds(1))
    }
}
