import DeckJournal
import DeckService
import Foundation
import Logging
import MicroHTTP
import UnixSignals

/// How a server comes to its end: first it is no longer ready, then it takes nothing new, and at last all is kept.
struct Stop: Sendable {
    /// The server, and the one of operators' routes if there is one, which ends last.
    var servers: [Server]
    var service: DeckService
    var journal: any Journal
    var settings: Settings
    var logger: Logger

    /// How long the journal may take to close. The disk may hang.
    private static let closingSeconds = 5

    /// Waits for a signal, and then stops. Another signal cuts short what is waited for, and loses nothing that was
    /// answered.
    ///
    /// - Parameter onSignal: is called when the first has come.
    func wait(for signals: UnixSignalsSequence, onSignal: @escaping @Sendable () -> Void) async {
        let (beginning, begin) = AsyncStream<Void>.makeStream()
        await withTaskGroup { group in
            group.addTask {
                for await _ in beginning { break }
                onSignal()
                await stop()
            }
            group.addTask { await obey(signals, begin) }
            // Whichever ends first has stopped the server, and the other one then has nothing to wait for.
            await group.next()
            group.cancelAll()
        }
        await close()
    }

    /// Saves what can be saved and closes the journal, if the disk answers in time. What was answered is on the disk already.
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

    /// Has the stop begin with the first signal, and ends it with the second.
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

    /// Stopping waits for the server's threads, which must not keep the other task from its thread.
    private func stopServer(grace: Duration) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                for server in servers { server.stop(grace: grace) }
                continuation.resume()
            }
        }
    }
}
