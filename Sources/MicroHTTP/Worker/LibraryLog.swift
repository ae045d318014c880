internal import CMicroHTTPD
internal import Glibc
internal import Locking
internal import Logging

/// The receiver of a daemon's messages. libmicrohttpd has an unretained pointer to it, so the worker retains it.
final class LibraryLog {
    let logger: Logger
    /// The messages of the library during its start, for the error if the start fails; nil when it runs.
    var startLines: [String]? = []

    init(logger: Logger) {
        self.logger = logger
    }
}

/// Logs a message of libmicrohttpd. The level is debug, because these messages are about single connections.
func writeLibraryLog(context: UnsafeMutableRawPointer?, line: UnsafePointer<CChar>?) {
    guard let context, let line else { return }
    let log = Unmanaged<LibraryLog>.fromOpaque(context).takeUnretainedValue()
    let text = String(cString: line).split(separator: "\n").joined(separator: " ")
    log.startLines?.append(text)
    log.logger.debug("libmicrohttpd: \(text)")
}

/// The logger for panics, which libmicrohttpd reports for the process and not for a daemon.
private let panicLogger = Lock<Logger?>(nil)

/// Logs panics of libmicrohttpd before the process ends, with the logger of the last call.
func logPanics(to logger: Logger) {
    panicLogger.withLock { $0 = logger }
    MHD_set_panic_func(reportPanic, nil)
}

/// A panic means that the library was used wrongly or its memory is damaged, so the process must end.
private func reportPanic(
    context: UnsafeMutableRawPointer?,
    file: UnsafePointer<CChar>?,
    line: UInt32,
    reason: UnsafePointer<CChar>?
) {
    let place = file.map { String(cString: $0) } ?? "unknown"
    let text = reason.map { String(cString: $0) } ?? "no reason given"
    panicLogger.withLock { $0 }?.critical("libmicrohttpd cannot continue: \(text) (\(place):\(line))")
    abort()
}
