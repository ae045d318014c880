import Foundation
import SocketTesting
import Testing

extension RunningServer {
    /// Settings of the server with which its allocated bytes can be read. With one heap, without caches of threads, jemalloc counts
    /// exactly. It prints the count whenever as many bytes as here were allocated since the last time, freed or not.
    static let countedHeap = [
        "MALLOC_CONF": "narenas:1,tcache:false,stats_interval:262144,stats_interval_opts:gmdablxeh",
        "DECKD_ACCESS_LOG": "false",
    ]

    /// The bytes that the server has allocated and not freed, beside one connection. Nothing else may happen meanwhile.
    /// 0 under a sanitizer, which has another heap, and whose report has what was lost.
    func allocatedBytes() throws -> Int {
        guard !Sanitizer.isOn else { return 0 }
        let formerCount = heapReports.count
        let client = try RawClient(port: port())
        let requests = String(repeating: "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 50)
        let deadline = ContinuousClock.now + .seconds(30)
        while heapReports.count < formerCount + 10 {
            try #require(.now < deadline, "the server does not report its heap")
            try client.send(requests)
            for _ in 0..<50 { _ = try client.readAnswer() }
        }
        // A report is made within a request. The least one has the fewest bytes of it.
        return try #require(heapReports.dropFirst(formerCount).min())
    }

    /// The counts that jemalloc has printed.
    private var heapReports: [Int] {
        errors.wait { _ in true }.components(separatedBy: "Allocated: ").dropFirst().compactMap { report in
            Int(report.prefix { $0 != "," })
        }
    }
}
