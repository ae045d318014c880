import DeckJournal
import DeckService
import Foundation
import Logging
import UnixSignals

/// The reason why a file or a database could not be opened.
struct OpeningFailure: Error {
    /// The file or the database, as it may be logged.
    var name: String
    var error: JournalError
}

/// The opening of the journal of a server.
struct Opening: Sendable {
    var settings: Settings
    var log: LogOutput
    var logger: Logger

    /// Opens the journal. A signal ends the process at once, as a crash would, which leaves the data as they were or migrated.
    func journal() async throws -> any Journal {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let stopping = Task {
            for await signal in signals {
                logger.notice("stopped before the data were open", metadata: ["signal": "\(signal)"])
                log.close()
                _exit(0)
            }
        }
        defer { stopping.cancel() }
        let result = await opened()
        do {
            return try result.get()
        } catch {
            try fail("\(error.name): \(error.error)", status: 1)
        }
    }

    /// The opening blocks a thread, which must not be one that other tasks need.
    private func opened() async -> Result<any Journal, OpeningFailure> {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let result = Result { () throws(OpeningFailure) in
                    try SlowOpening.run(reporting: { logger.notice("\($0)") }, settings.openJournal)
                }
                continuation.resume(returning: result)
            }
        }
    }
}
