import DeckJournal
import DeckService
import Foundation
import Logging
import MicroHTTP
import UnixSignals

/// The stop of a server: first it reports that it is not ready, then it accepts nothing new, and at last everything is saved.
struct Stop: Sendable {
    /// The server, and the server of the operators' routes if there is one, which stops last.
    var servers: [Server]
    var service: DeckService
    var journal: any Journal
    var settings: Settings
    var logger: Logger

    /// How long the last responses of both servers may take. They say that the server stops.
    private static let answeringSeconds = 2
    /// How long the journal may take to close. The disk may hang.
    private static let closingSeconds = 5
    /// What a busy machine may need beyond these times.
    private static let reserveSeconds = 10

    /// The maximum time of a stop.
    var limit: Duration {
        let waits = settings.drainSeconds + settings.stopGraceSeconds
        return .seconds(waits + Self.answeringSeconds + Self.closingSeconds + Self.reserveSeconds)
    }

    /// Waits for a signal, and then stops. Another signal shortens the waits; changes that were answered are not lost.
    ///
    /// - Parameter onSignal: called with the first signal.
    func wait(for signals: UnixSignalsSequence, onSignal: @escaping @Sendable () -> Void) async {
        let (beginning, begin) = AsyncStream<Void>.makeStream()
        await withTaskGroup { group in
            group.addTask {
                for await _ in beginning { break }
                onSignal()
                await stop()
            }
            group.addTask { await obey(signals, begin) }
            // The task that ends first has stopped the server, so the other one ends, too.
            await group.next()
            group.cancelAll()
        }
        await close()
    }

    /// Saves changes that need no commit and closes the journal, if the disk answers in time. Committed changes are already on the
    /// disk.
    private func close() async {
        let deadline = Self.closingSeconds
        let (ends, end) = AsyncStream<Bool>.makeStream()
        Task {
            await service.save()
            await withCheckedContinuation { continuation in journal.close { _ in continuation.resume() } }
            end.yield(true)
        }
        Task {
            try? await Task.sleep(for: .seconds(deadline))
            end.yield(false)
        }
        for await isClosed in ends {
            if isClosed { return logger.info("stopped") }
            return logger.critical("the journal did not close within \(deadline) s; stopped without it")
        }
    }

    /// Starts the stop with the first signal, and ends it with the second.
    private func obey(_ signals: UnixSignalsSequence, _ begin: AsyncStream<Void>.Continuation) async {
        var hasBegun = false
        for await signal in signals {
            guard !hasBegun else {
                logger.notice("stopping at once", metadata: ["signal": "\(signal)"])
                return await stopServer(grace: .zero)
            }
            logger.info("stopping", metadata: ["signal": "\(signal)"])
            begin.yield()
            hasBegun = true
        }
    }

    private func stop() async {
        service.withdraw()
        if settings.drainSeconds > 0 { try? await Task.sleep(for: .seconds(settings.drainSeconds)) }
        service.drain()
        await stopServer(grace: .seconds(settings.stopGraceSeconds))
    }

    /// Stopping blocks a thread until those of the server have ended. It must not be a thread that other tasks need.
    private func stopServer(grace: Duration) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let end = ContinuousClock.now + grace
                for server in servers { server.stop(grace: max(.zero, end - .now)) }
                continuation.resume()
            }
        }
    }
}
