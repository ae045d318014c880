import DeckJournal
import DeckJournalSQLite
import FileTesting
import Foundation
import JournalTesting
import Testing

/// Every operation on the disk fails once, and every one lastingly, as SQLite's own tests have it.
@Suite(.serialized) struct FaultTests {
    typealias Fault = FaultyDisk.Fault

    /// A checkpoint comes after so few pages that the faults also meet those.
    private static let pagesToCheckpoint = 12
    private static let sessions = ["a", "b", "c", "d"]

    static let kinds: [Fault] = [
        Fault(operations: [.write], successes: 0, lasts: false),
        Fault(operations: [.write], successes: 0, lasts: false, tears: true),
        Fault(operations: [.sync], successes: 0, lasts: false),
        Fault(operations: [.truncate, .mapSharedMemory], successes: 0, lasts: false),
        Fault(operations: [.write], successes: 0, lasts: true),
        Fault(operations: [.write], successes: 0, lasts: true, tears: true),
        Fault(operations: [.sync], successes: 0, lasts: true),
    ]

    @Test(arguments: kinds) func aFailedGroupChangesNothingAndTheNextIsSaved(_ kind: Fault) async throws {
        var fault = kind
        var hasFailed = true
        while hasFailed {
            hasFailed = try await run(fault)
            fault.successes += 1
        }
        // Or there would have been nothing to test. Only few operations truncate or map. The last run has no fault.
        #expect(fault.successes > (kind.operations == [.truncate, .mapSharedMemory] ? 1 : 15))
    }

    @Test(arguments: kinds) func aFileThatCannotBeCreatedIsCreatedLater(_ kind: Fault) async throws {
        FaultyDisk.install()
        var fault = kind
        var hasFailed = true
        while hasFailed {
            let folder = try TemporaryFolder(isQuick: true)
            let path = folder.file("journal.sqlite")
            FaultyDisk.arm(fault, under: folder.path)
            var journal: SQLiteJournal?
            do throws(JournalError) {
                journal = try SQLiteJournal(path: path)
            } catch {
                #expect(error.isUnavailable, "\(fault): \(error)")
            }
            hasFailed = FaultyDisk.disarm() > 0
            let opened = try journal ?? SQLiteJournal(path: path)
            try await opened.created(.sample("a"))
            try await opened.closed()
            fault.successes += 1
        }
        // The last run has no fault.
        #expect(fault.successes > 1)
    }

    /// Appends while the fault is on. Returns whether there was an operation that failed.
    private func run(_ fault: Fault) async throws -> Bool {
        FaultyDisk.install()
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("journal.sqlite")
        let journal = try SQLiteJournal(path: path, pagesToCheckpoint: Self.pagesToCheckpoint)
        var model = Model()
        for session in Self.sessions { try await model.create(session, in: journal) }
        FaultyDisk.arm(fault, under: folder.path)
        var failedRounds = 0
        for round in 0..<8 where failedRounds < 2 {
            let sessions = round.isMultiple(of: 2) ? Self.sessions : ["a"]
            guard try await append(to: sessions, journal, &model, fault) > 0 else { continue }
            failedRounds += 1
            // If the process were killed now, this is what the next one would find.
            try await checkCopy(of: path, model, fault)
        }
        let failures = FaultyDisk.disarm()
        #expect(try await append(to: Self.sessions, journal, &model, nil) == 0)
        try await model.check(journal, "\(fault), recovered")
        try await journal.closed()
        let reopened = try SQLiteJournal(path: path)
        try await model.check(reopened, "\(fault), reopened")
        try await reopened.closed()
        return failures > 0
    }

    /// Appends to all sessions at once, and has the model follow the entries that succeeded. Returns how many did not.
    ///
    /// - Parameter fault: what may make them fail; nil: nothing.
    private func append(
        to sessions: [String],
        _ journal: SQLiteJournal,
        _ model: inout Model,
        _ fault: Fault?
    ) async throws -> Int {
        let before = model
        let results = await withTaskGroup(of: (String, Result<Revision, JournalError>).self) { group in
            for session in sessions {
                let (entry, revision) = before.next(of: session)
                group.addTask { (session, await journal.tryAppend(entry, to: session, after: revision)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        var failures = 0
        for (session, result) in results {
            switch result {
            case .success(let revision): model.follow(session, revision)
            case .failure(let error):
                failures += 1
                #expect(fault != nil && error.isUnavailable, "\(String(describing: fault)): \(error)")
            }
        }
        return failures
    }

    private func checkCopy(of path: String, _ model: Model, _ fault: Fault) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.file("copy.sqlite" + suffix))
        }
        let copy = try SQLiteJournal(path: folder.file("copy.sqlite"))
        try await model.check(copy, "\(fault), after a crash")
        try await copy.closed()
    }
}
