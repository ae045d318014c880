import FileTesting
import Foundation
import Locking
import Testing

/// Hostile clients of every kind beside honest ones, against a server with the default limits.
struct SoakTests {
    /// How long it takes in all. Without `DECKD_TEST_SOAK_MINUTES` it does not run.
    private static let minutes = ProcessInfo.processInfo.environment["DECKD_TEST_SOAK_MINUTES"].flatMap(Double.init)
    private static let clientCount = 32

    @Test(.enabled(if: minutes != nil)) func honestClientsHardlyNoticeHostileOnes() throws {
        let seconds = 60 * (Self.minutes ?? 0)
        let folder = try TemporaryFolder()
        let data = folder.file("deckd.sqlite")
        let server = try RunningServer(environment: ["DECKD_ACCESS_LOG": "false"], data: data)
        let port = try server.port()
        let honest = try (0..<Self.clientCount).map { _ in try HonestClient(port: port) }

        _ = run(honest, [], for: seconds / 5)
        let alone = Self.percentile(99, of: honest.flatMap(\.times))
        let end = ContinuousClock.now + .seconds(4 * seconds / 5)
        let kinds = HostileClient.Kind.allCases
        let hostile = (0..<Self.clientCount).map { HostileClient(kind: kinds[$0 % kinds.count], port: port, end: end) }
        let sizes = Sizes(of: server, data: data, until: end)
        let statuses = run(honest, hostile, for: 4 * seconds / 5)
        let times = honest.flatMap(\.times)
        let beside = Self.percentile(99, of: times)

        print("p99 alone \(alone) ms, beside hostile clients \(beside) ms, \(times.count) requests")
        #expect(beside <= 3 * alone)
        #expect(honest.flatMap(\.refusals) == [])
        // What is refused at once does no harm. Each kind must have come further.
        for kind in kinds {
            let counts = statuses[kind] ?? [:]
            print("\(kind): \(counts)")
            if let accepted = kind.acceptedStatus { #expect(counts[accepted] ?? 0 > 0, "\(kind)") }
            #expect(!counts.isEmpty, "\(kind)")
        }
        for (name, samples) in sizes.samples {
            let quarter = samples.count / 4
            let early = samples[quarter..<2 * quarter].max() ?? 0
            let late = samples.suffix(quarter).max() ?? 0
            print("\(name): \(early >> 20) MiB in the second quarter, \(late >> 20) MiB in the last one")
            // Pages of the file and of the heap are taken many at a time.
            #expect(late <= early + early / 4 + 16 << 20, "\(name): \(samples.map { $0 >> 20 })")
        }
        #expect(server.stop(SIGTERM) == .exit(0))
    }

    /// Returns how often each kind of hostile clients got each status.
    private func run(
        _ honest: [HonestClient],
        _ hostile: [HostileClient],
        for seconds: Double
    ) -> [HostileClient.Kind: [Int: Int]] {
        let statuses = Lock<[HostileClient.Kind: [Int: Int]]>([:])
        let end = ContinuousClock.now + .seconds(seconds)
        var bodies: [@Sendable () -> Void] = []
        for client in honest { bodies.append { client.run(until: end) } }
        for client in hostile {
            bodies.append {
                let counts = client.run()
                statuses.withLock { $0[client.kind, default: [:]].merge(counts, uniquingKeysWith: +) }
            }
        }
        onThreads(bodies)
        return statuses.withLock { $0 }
    }

    private static func percentile(_ percent: Int, of values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[(values.count - 1) * percent / 100]
    }

    /// The memory of the server and the size of its files, each second.
    private final class Sizes: @unchecked Sendable {
        private let lock = NSLock()
        private var memory: [Int] = []
        private var files: [Int] = []

        var samples: [(name: String, bytes: [Int])] {
            lock.withLock { [("memory", memory), ("files", files)] }
        }

        init(of server: RunningServer, data: String, until end: ContinuousClock.Instant) {
            let process = server.child.id
            Thread.detachNewThread { [self] in
                while ContinuousClock.now < end {
                    let fields = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8))?.split(
                        separator: " "
                    )
                    let pages = fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
                    let sizes = ["", "-wal"].map { suffix in
                        (try? FileManager.default.attributesOfItem(atPath: data + suffix)[.size] as? Int) ?? 0
                    }
                    lock.withLock {
                        memory.append(pages * sysconf(CInt(_SC_PAGESIZE)))
                        files.append(sizes.reduce(0, +))
                    }
                    sleep(1)
                }
            }
        }
    }
}
