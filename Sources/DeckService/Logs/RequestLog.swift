import Logging
import MicroHTTP

/// Writes a line for each request that is over, and one more for each that the server failed.
struct RequestLog: Sendable {
    /// Gets the lines; nil: only failures are logged, with the logger.
    var output: LogOutput?
    var logger: Logger

    private static let label = "access"
    private static let longestPathBytes = 512
    private static let longestMethodBytes = 32

    /// Logs a request.
    func ended(_ report: RequestReport) {
        if let status = report.status, status >= 500, !Self.isProbe(report) { complain(report, status) }
        guard let output, logger.logLevel <= .info else { return }
        output.write(.info, Self.label, "request", shard: report.id.shard) { Self.write(report, to: &$0) }
    }

    /// Logs an answer whose status is a failure of the server.
    private func complain(_ report: RequestReport, _ status: Int) {
        var metadata: Logger.Metadata = [
            "requestId": "\(RequestIDHeader.value(of: report.id, report.head))", "status": .stringConvertible(status),
        ]
        if let head = report.head {
            metadata["method"] = "\(Self.method(of: head))"
            metadata["path"] = "\(Self.path(of: head))"
        }
        if let kind = ProblemKind(label: report.answerLabel) { metadata["problem"] = "\(kind.rawValue)" }
        if let remark = report.remark { metadata["cause"] = "\(remark)" }
        // A temporary state is not a defect.
        logger.log(level: status == 503 ? .warning : .error, "a request failed", metadata: metadata)
    }

    /// Probes come each second, and a change of the readiness is logged separately.
    private static func isProbe(_ report: RequestReport) -> Bool {
        guard let segments = report.head?.target.segments else { return false }
        return segments == ["livez"] || segments == ["readyz"]
    }

    /// The query and headers that may have a secret are never logged.
    private static func write(_ report: RequestReport, to line: inout LogLine) {
        if let head = report.head {
            line.add("method", method(of: head))
            line.add("path", path(of: head))
        }
        if let status = report.status { line.add("status", status) }
        line.add("durationMs", Double(report.durationNanoseconds / 1000) / 1000)
        line.add("bytesIn", report.receivedBytes)
        line.add("peer", report.peer)
        line.add("requestId", RequestIDHeader.value(of: report.id, report.head))
        if let field = report.head?.onlyTraceParent, let trace = TraceParent(field) {
            line.add("traceId", trace.traceID)
            line.add("parentId", trace.parentID)
        }
        line.add("stream", report.isStream)
        if !report.isComplete { line.add("broken", true) }
    }

    private static func method(of head: RequestHead) -> String {
        let method = head.method.rawValue
        guard method.utf8.count > longestMethodBytes else { return method }
        return String(decoding: method.utf8.prefix(longestMethodBytes), as: UTF8.self)
    }

    private static func path(of head: RequestHead) -> String {
        let path = head.target.path
        guard path.utf8.count > longestPathBytes else { return path }
        return String(decoding: path.utf8.prefix(longestPathBytes), as: UTF8.self) + "…"
    }
}

extension RequestHead {
    /// The header. If it came more than once, it is ignored (W3C Trace Context, section 3.2).
    fileprivate var onlyTraceParent: String? {
        guard headers["traceparent"] != nil else { return nil }
        let fields = headers.values("traceparent")
        return fields.count == 1 ? fields[0] : nil
    }
}
