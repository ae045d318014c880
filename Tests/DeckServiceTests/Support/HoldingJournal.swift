import Synchronization

@testable import DeckService

/// A journal that keeps or fails what the test tells it to, when the test tells it to.
final class HoldingJournal: Journal {
    typealias Completion = @Sendable (Result<Void, JournalError>) -> Void

    private let records = Mutex<[SessionRecord]>([])
    private let stream: AsyncStream<Completion>
    private let continuation: AsyncStream<Completion>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// What was asked to be kept so far.
    var committed: [SessionRecord] {
        records.withLock { $0 }
    }

    func commit(_ record: SessionRecord, completion: @escaping Completion) {
        records.withLock { $0.append(record) }
        continuation.yield(completion)
    }

    /// The next record's completion, once there is one.
    func next() async -> Completion? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}

/// A journal of which every commit fails from the nth on, at once.
struct FailingJournal: Journal {
    private final class Counter: Sendable {
        let count = Atomic(0)
    }

    private let counter = Counter()
    private let working: Int

    init(after working: Int) {
        self.working = working
    }

    func commit(_ record: SessionRecord, completion: @escaping @Sendable (Result<Void, JournalError>) -> Void) {
        let number = counter.count.add(1, ordering: .relaxed).newValue
        completion(number > working ? .failure(.unavailable) : .success(()))
    }
}
