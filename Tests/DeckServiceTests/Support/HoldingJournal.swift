import DeckJournal
import JournalTesting
import Locking
import Synchronization

/// A journal that keeps what is committed when the test lets it, or fails then.
final class HoldingJournal: ForwardingJournal {
    /// A commit that waits; called with no error it is done.
    typealias Commit = @Sendable (JournalError?) -> Void

    let inner: any Journal = MemoryJournal()
    private let records = Lock<[Entry]>([])
    private let stream: AsyncStream<Commit>
    private let continuation: AsyncStream<Commit>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// What was asked to be kept so far.
    var committed: [Entry] {
        records.withLock { $0 }
    }

    func append(
        _ entry: Entry,
        to id: String,
        after revision: Revision,
        using reservation: Reservation,
        completion: @escaping JournalCompletion<Revision>
    ) {
        records.withLock { $0.append(entry) }
        continuation.yield { [inner] error in
            if let error { return completion(.failure(error)) }
            inner.append(entry, to: id, after: revision, using: reservation, completion: completion)
        }
    }

    /// The next record's commit, once there is one.
    func next() async -> Commit? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}

/// A journal of which the nth commit fails.
final class FailingJournal: ForwardingJournal {
    let inner: any Journal = MemoryJournal()
    private let count = Atomic(0)
    private let failing: Int

    init(at failing: Int) {
        self.failing = failing
    }

    func append(
        _ entry: Entry,
        to id: String,
        after revision: Revision,
        using reservation: Reservation,
        completion: @escaping JournalCompletion<Revision>
    ) {
        let number = count.add(1, ordering: .relaxed).newValue
        guard number != failing else { return completion(.failure(.unavailable("the test has it fail"))) }
        inner.append(entry, to: id, after: revision, using: reservation, completion: completion)
    }
}
