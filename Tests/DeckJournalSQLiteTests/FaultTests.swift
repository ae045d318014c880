import DeckJournal
import DeckJournalSQLite
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

    @Test(arguments: kinds) func whatFailsIsNotKeptAndTheNextIs(_ kind: Fault) async throws {
        var fault = kind
        var hasFailed = true
        while hasFailed {
            hasFailed = try await run(fault)
            fault.successes += 1
        }
        // Or there would have been nothing to test. Only few operations truncate or map.
        #expect(fault.successes > (kind.operations == [.truncate, .mapSharedMemory] ? 0 : 15))
    }

    @Test(arguments: kinds) func aFileThatCannotBeMadeIsMadeLater(_ kind: Fault) async throws {
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
            try await value { opened.createSession(.sample("a"), completion: $0) }
            try await value { opened.close(completion: $0) }
            fault.successes += 1
        }
    }

    /// Commits while the fault is on. Returns whether there was an operation that failed.
    private func run(_ fault: Fault) async throws -> Bool {
        FaultyDisk.install()
        let folder = try TemporaryFolder(isQuick: true)
        let path = folder.file("journal.sqlite")
        let journal = try SQLiteJournal(path: path, pagesToCheckpoint: Self.pagesToCheckpoint)
        var model = Model()
        for session in Self.sessions {
            try await value { journal.createSession(.sample(session), completion: $0) }
            model.commit(to: session)
        }
        FaultyDisk.arm(fault, under: folder.path)
        var failedRounds = 0
        for round in 0..<8 where failedRounds < 2 {
            let sessions = round.isMultiple(of: 2) ? Self.sessions : ["a"]
            guard try await commit(sessions, to: journal, &model, fault) > 0 else { continue }
            failedRounds += 1
            // If the process were killed now, this is what the next one would find.
            try await checkCopy(of: path, model, fault)
        }
        let failures = FaultyDisk.disarm()
        #expect(try await commit(Self.sessions, to: journal, &model, nil) == 0)
        try await model.check(journal, "\(fault), recovered")
        try await value { journal.close(completion: $0) }
        let reopened = try SQLiteJournal(path: path)
        try await model.check(reopened, "\(fault), reopened")
        try await value { reopened.close(completion: $0) }
        return failures > 0
    }

    /// Commits to all sessions at once, and has the model follow those that were completed with success. Returns how many
    /// were not.
    ///
    /// - Parameter fault: what may make them fail; nil: nothing.
    private func commit(
        _ sessions: [String],
        to journal: SQLiteJournal,
        _ model: inout Model,
        _ fault: Fault?
    ) async throws -> Int {
        let before = model
        let errors = await withTaskGroup(of: (String, JournalError?).self) { group in
            for session in sessions {
                let (record, expected) = before.record(of: session)
                group.addTask {
                    (session, await failure { journal.commit(record, expecting: expected, completion: $0) })
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for session in sessions {
            if let error = errors[session] {
                #expect(fault != nil && error.isUnavailable, "\(String(describing: fault)): \(error)")
            } else {
                model.commit(to: session)
            }
        }
        return errors.count
    }

    private func checkCopy(of path: String, _ model: Model, _ fault: Fault) async throws {
        let folder = try TemporaryFolder(isQuick: true)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.file("copy.sqlite" + suffix))
        }
        let copy = try SQLiteJournal(path: folder.file("copy.sqlite"))
        try await model.check(copy, "\(fault), after a crash")
        try await value { copy.close(completion: $0) }
    }
}

extension JournalError {
    var isUnavailable: Bool {
        if case .unavailable = self { true } else { false }
    }
}
