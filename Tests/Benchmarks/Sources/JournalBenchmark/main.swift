import DeckJournal
import DeckJournalSQLite
import Foundation
import Synchronization

// Appends entries with idempotency keys to an SQLite journal at a fixed rate, and prints the size of the files and the
// backlog of housekeeping after each tenth of the time.

/// A number in the environment.
func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
}

/// How many entries are appended in a second, as far as the journal keeps up.
let rate = setting("BENCHMARK_KEYED_RATE") ?? 10_000
/// How long they are.
let seconds = setting("BENCHMARK_KEYED_SECONDS") ?? 60
let sessionCount = 1024

/// Ends the benchmark, because the journal refused something.
func stop(_ reason: String) -> Never {
    print(reason)
    exit(1)
}

/// A session whose entries are appended one after another.
final class KeyedSession: Sendable {
    private struct Head {
        var revision: Revision
        var version = 1
        var isFree = true
    }

    private let id: String
    private let head: Mutex<Head>

    init(_ number: Int, _ journal: SQLiteJournal) {
        id = "session \(number)"
        let identity = SessionIdentity(
            id: id,
            tokenHash: [],
            spectatorTokenHash: [],
            deck: nil,
            createdAt: WallTime.now(),
            clock: "server",
            isRecorded: false
        )
        let state = [UInt8](repeating: 1, count: 600)
        let new = NewSession(identity: identity, nonce: 1, version: 1, state: state, cards: CardsBase([1]))
        let created = DispatchSemaphore(value: 0)
        let revision = Mutex<Revision?>(nil)
        journal.create(new) { result in
            revision.withLock { $0 = try? result.get() }
            created.signal()
        }
        created.wait()
        guard let first = revision.withLock({ $0 }) else { stop("no session was created") }
        head = Mutex(Head(revision: first))
    }

    /// Appends an entry if the one before is committed. Returns false if it is not, or if the journal has no room.
    func append(to journal: SQLiteJournal, _ completion: @escaping @Sendable () -> Void) -> Bool {
        let (revision, version, isFree) = head.withLock { head in
            defer { head.isFree = false }
            return (head.revision, head.version + 1, head.isFree)
        }
        guard isFree else { return false }
        let entry = entry(version)
        guard let reservation = try? journal.reserve(bytes: entry.byteCount, for: id) else {
            head.withLock { $0.isFree = true }
            return false
        }
        journal.append(entry, to: id, after: revision, using: reservation) { [self] result in
            guard case .success(let revision) = result else { stop("an entry was not appended: \(result)") }
            head.withLock { $0 = Head(revision: revision, version: version) }
            completion()
        }
        return true
    }

    /// An entry like that of a keyed event in a session with some leaving cards. It has no verdict, because verdicts stay.
    private func entry(_ version: Int) -> Entry {
        let answer = AnswerRecord(
            key: UUID().uuidString,
            fingerprint: [UInt8](repeating: 2, count: 32),
            outcome: [UInt8](repeating: 3, count: 1600),
            at: WallTime.now()
        )
        return Entry(
            nonce: UInt64(version),
            at: WallTime.now(),
            version: version,
            state: [UInt8](repeating: 1, count: 600),
            notifications: [[UInt8](repeating: 4, count: 30), [UInt8](repeating: 5, count: 30)],
            answers: [answer]
        )
    }
}

let folder = FileManager.default.temporaryDirectory.appending(path: "deckd-benchmark-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let journal = try SQLiteJournal(path: folder.appending(path: "journal.sqlite").path)
let sessions = (0..<sessionCount).map { KeyedSession($0, journal) }
let completed = Atomic(0)
let start = ContinuousClock.now

/// Appends entries at a rate, as far as the sessions are free.
struct Pace {
    private var sent = 0
    private var next = 0

    /// Appends all entries that are due after some time.
    mutating func appendDueEntries(after time: Duration) {
        let due = Int(Double(rate) * (time / .seconds(1)))
        var refusals = 0
        while sent < due, refusals < sessionCount {
            next = (next + 1) % sessionCount
            if sessions[next].append(to: journal, { completed.add(1, ordering: .relaxed) }) {
                sent += 1
            } else {
                refusals += 1
            }
        }
    }
}

var pace = Pace()
print("keyed entries in \(sessionCount) sessions, \(rate) a second for \(seconds) seconds")
for part in 1...10 {
    let before = completed.load(ordering: .relaxed)
    let partStart = ContinuousClock.now
    while ContinuousClock.now - start < .seconds(seconds) * part / 10 {
        pace.appendDueEntries(after: ContinuousClock.now - start)
        Thread.sleep(forTimeInterval: 0.005)
    }
    let count = Double(completed.load(ordering: .relaxed) - before)
    let reached = count / ((ContinuousClock.now - partStart) / .seconds(1))
    let statistics = journal.statistics
    let (file, log) = (Double(statistics.fileBytes) / 1e6, Double(statistics.walBytes) / 1e6)
    print(String(format: "    %2d/10: %.0f entries/s", part, reached), terminator: "")
    print(String(format: ", file %.0f MB, write-ahead log %.0f MB", file, log), terminator: "")
    print(", backlog \(statistics.housekeepingBacklog), longest step \(statistics.longestHousekeepingStep)")
    fflush(nil)
}
