import MicroHTTP
import Synchronization

/// Counts of requests. Every label has few values: values that clients invent count as `other`.
final class RequestMetrics: Sendable {
    /// `other`, and then the routes' templates in the order of their numbers.
    private let routes: [String]
    private let counts: Cells
    private let times: Histogram
    /// The times of requests with a `Prefer` field, which may wait on purpose.
    private let waitingTimes: Histogram
    private let inFlight: Cells
    private let connections = Atomic(0)

    private static let methods = ["other", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    /// 0 is for requests without an answer.
    private static let statuses = [
        0, 200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 412,
        413, 414, 415, 416, 417, 421, 422, 425, 426, 428, 429, 431, 500, 501, 502, 503, 504, 505,
    ]
    /// The index of each status in `statuses`.
    private static let statusPlaces: [Int] = {
        var places = [Int](repeating: statuses.count, count: 600)
        for (place, status) in statuses.enumerated() { places[status] = place }
        return places
    }()
    /// The statuses of the list, and one for all others.
    private static let statusCount = statuses.count + 1

    init(routes templates: [String], shards: Int) {
        routes = ["other"] + templates
        counts = Cells(routes.count * Self.methods.count * Self.statusCount, shards: shards)
        times = .ofTimes(series: routes.count, shards: shards)
        waitingTimes = .ofWaits(series: routes.count)
        inFlight = Cells(1, shards: shards)
    }

    /// The head of a request was received.
    func began(_ id: RequestID) {
        inFlight.add(1, to: 0, shard: id.shard)
    }

    /// A request is over. The label of its admission is the number of its route, starting with 1.
    func ended(_ report: RequestReport) {
        let shard = report.id.shard
        if report.head != nil { inFlight.add(-1, to: 0, shard: shard) }
        let route = report.admissionLabel
        let row = route * Self.methods.count + Self.place(of: report.head?.method)
        counts.add(to: row * Self.statusCount + Self.place(of: report.status), shard: shard)
        guard !report.isStream, report.status != nil else { return }
        let mayWait = report.head?.headers.contains("Prefer") ?? false
        (mayWait ? waitingTimes : times).add(report.durationNanoseconds, series: route, shard: shard)
    }

    func connected() { connections.add(1, ordering: .relaxed) }

    func disconnected() { connections.subtract(1, ordering: .relaxed) }

    private static func place(of method: HTTPMethod?) -> Int {
        switch method {
        case .get?: 1
        case .head?: 2
        case .post?: 3
        case .put?: 4
        case .patch?: 5
        case .delete?: 6
        case .options?: 7
        default: 0
        }
    }

    private static func place(of status: Int?) -> Int {
        guard let status else { return 0 }
        return statusPlaces.indices.contains(status) ? statusPlaces[status] : statuses.count
    }

    private static func text(ofStatusAt place: Int) -> String {
        place == 0 ? "none" : place == statuses.count ? "other" : String(statuses[place])
    }

    func write(to exposition: inout Exposition) {
        exposition.metric("deckd_http_requests_total", .counter, "Completed requests.")
        for (route, template) in routes.enumerated() {
            for (method, name) in Self.methods.enumerated() {
                for status in 0..<Self.statusCount {
                    let count = counts.sum((route * Self.methods.count + method) * Self.statusCount + status)
                    guard count > 0 else { continue }
                    let text = Self.text(ofStatusAt: status)
                    exposition.sample(count, [("route", template), ("method", name), ("code", text)])
                }
            }
        }
        exposition.metric(
            "deckd_http_request_duration_seconds",
            .histogram,
            "Time from the first line of a request to the last byte of its response. Streams and requests with Prefer are not included."
        )
        for (route, template) in routes.enumerated() {
            times.write(series: route, [("route", template)], unlessEmpty: route > 0, to: &exposition)
        }
        exposition.metric(
            "deckd_http_waiting_request_duration_seconds",
            .histogram,
            "The same for requests with a Prefer header, which can wait intentionally."
        )
        for (route, template) in routes.enumerated() {
            waitingTimes.write(series: route, [("route", template)], unlessEmpty: true, to: &exposition)
        }
        exposition.metric("deckd_http_requests_in_flight", .gauge, "Requests in progress.", value: inFlight.sum(0))
        let open = connections.load(ordering: .relaxed)
        exposition.metric("deckd_http_connections", .gauge, "Open connections.", value: open)
    }
}
