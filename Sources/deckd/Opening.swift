import DeckJournal
import DeckService
import Foundation
import Logging
import UnixSignals

/// The opening of the journal. It can take minutes, because the data are migrated, or because another node migrates them.
struct Opening: Sendable {
    var settings: Settings
    var log: LogOutput
    var logger: Logger

    /// After this time the log says that the opening is not over.
    private static let patience = Duration.seconds(2)

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
        let reporting = Task {
            try await Task.sleep(for: Self.patience)
            logger.notice("opening the data takes long: they are migrated, or another node migrates them")
        }
        defer {
            stopping.cancel()
            reporting.cancel()
        }
        let result = await opened()
        do {
            return try result.get()
        } catch {
            try fail("\(settings.dataName): \(error)", status: 1)
        }
    }

    /// The opening blocks a thread, which must not be one that other tasks need.
    private func opened() async -> Result<any Journal, JournalError> {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: Result { () throws(JournalError) in try settings.openJournal() })
            }
        }
    }
}
