import DeckJournal
import DeckJournalSQLite
import Foundation
import JournalTesting

/// Appends to a few sessions for as long as it lives, and writes down what was completed with success.
struct Committer {
    static let sessions = (0..<6).map { "session \($0)" }
    let journal: SQLiteJournal
    let completed: Completions

    init(folder: String) throws {
        completed = try Completions(folder + "/completed")
        journal = try SQLiteJournal(path: folder + "/journal.sqlite", entriesToFold: 50)
    }

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            for session in Self.sessions {
                group.addTask { await append(to: session) }
            }
        }
    }

    private func append(to session: String) async {
        _ = await result { journal.create(.sample(session), completion: $0) }
        guard var stored = try? await journal.stored(session) else { return }
        completed.add(session, stored.version, stored.revision)
        while !Task.isCancelled {
            let version = stored.version + 1
            // An entry that is refused must leave no trace, whether it comes before or after the one that is not.
            let refused = Entry.sample(session, version + 9, feedRecords: [.given(1_000_000)])
            let former = Revision(position: 0)
            async let error = journal.appendError(refused, to: session, after: former)
            let entry = Model.entry(session, version)
            guard let revision = try? await journal.appended(entry, to: session, after: stored.revision) else { return }
            completed.add(session, version, revision)
            stored.version = version
            stored.revision = revision
            _ = await error
        }
    }
}

/// A file in which a process writes down, line by line, the versions that were completed. The kernel has each line as
/// soon as it is written, so that it outlives the process.
final class Completions: Sendable {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
    }

    deinit {
        close(descriptor)
    }

    func add(_ session: String, _ version: Int, _ revision: Revision) {
        let line = Array("\(session),\(version),\(revision)\n".utf8)
        _ = write(descriptor, line, line.count)
    }

    /// The versions of each session with their revisions, in order. A line that was cut off does not count.
    var all: [String: [(version: Int, revision: Revision)]] {
        get throws {
            var all: [String: [(version: Int, revision: Revision)]] = [:]
            let text = try String(contentsOfFile: path, encoding: .utf8)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                let fields = line.split(separator: ",")
                guard fields.count == 3, let version = Int(fields[1]), let revision = Revision(String(fields[2]))
                else { continue }
                all[String(fields[0]), default: []].append((version, revision))
            }
            return all
        }
    }
}
