import DeckJournal
import DeckJournalSQLite
import Foundation
import JournalTesting

/// Commits to a few sessions for as long as it lives, and writes down what was completed with success.
struct Committer {
    static let sessions = (0..<6).map { "session \($0)" }
    /// How many commits of a session are on their way at a time.
    static let pipelined = 3

    let journal: SQLiteJournal
    let completed: Completions

    init(folder: String) throws {
        completed = try Completions(folder + "/completed")
        journal = try SQLiteJournal(path: folder + "/journal.sqlite")
    }

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            for session in Self.sessions {
                group.addTask { await commit(to: session) }
            }
        }
    }

    private func commit(to session: String) async {
        if await failure({ journal.createSession(.sample(session), completion: $0) }) == nil {
            completed.add(session, 1)
        }
        guard let stored = try? await value({ journal.loadSession(session, completion: $0) }).session else { return }
        var version = stored.version
        while !Task.isCancelled {
            await withTaskGroup(of: Void.self) { group in
                for next in version + 1...version + Self.pipelined {
                    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
                    let record = SessionRecord.sample(session, next, verdicts: [.given(next)])
                    journal.commit(record, expecting: next - 1) { result in
                        if case .success = result { completed.add(session, next) }
                        continuation.finish()
                    }
                    group.addTask { for await _ in stream {} }
                }
                // What is refused must leave no trace.
                let refused = SessionRecord.sample(session, version + 9, verdicts: [.given(1_000_000)])
                let expected = version + 8
                group.addTask { _ = await failure { journal.commit(refused, expecting: expected, completion: $0) } }
            }
            version += Self.pipelined
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

    func add(_ session: String, _ version: Int) {
        let line = Array("\(session),\(version)\n".utf8)
        _ = write(descriptor, line, line.count)
    }

    /// The last version of each session. A line that was cut off does not count.
    var versions: [String: Int] {
        get throws {
            var versions: [String: Int] = [:]
            let text = try String(contentsOfFile: path, encoding: .utf8)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                let fields = line.split(separator: ",")
                guard fields.count == 2, let version = Int(fields[1]) else { continue }
                versions[String(fields[0])] = max(versions[String(fields[0])] ?? 0, version)
            }
            return versions
        }
    }
}
