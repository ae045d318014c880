/// Counts values in buckets by their size, for several series with the same bounds.
struct Histogram: Sendable {
    /// The largest value of each bucket but the last, in whole units.
    let bounds: [Int]
    private let cells: Cells
    /// The number of added units in a unit that is shown: 10⁹ if nanoseconds are added and seconds are shown.
    private let unitsPerShown: Double

    init(bounds: [Int], unitsPerShown: Double = 1, series: Int = 1, shards: Int = 1) {
        self.bounds = bounds
        self.unitsPerShown = unitsPerShown
        cells = Cells(series * (bounds.count + 2), shards: shards)
    }

    /// Durations from a tenth of a millisecond to ten seconds; nanoseconds are added and seconds shown.
    static func ofTimes(series: Int = 1, shards: Int = 1) -> Histogram {
        let milliseconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000]
        return ofTimes(milliseconds, series: series, shards: shards)
    }

    /// Durations of requests that wait on purpose, for up to a minute.
    static func ofWaits(series: Int = 1) -> Histogram {
        ofTimes([10, 100, 1000, 5000, 10_000, 20_000, 30_000, 45_000, 60_000, 75_000], series: series, shards: 1)
    }

    private static func ofTimes(_ milliseconds: [Double], series: Int, shards: Int) -> Histogram {
        Histogram(
            bounds: milliseconds.map { Int($0 * 1e6) },
            unitsPerShown: 1e9,
            series: series,
            shards: shards
        )
    }

    func add(_ value: Int, series: Int = 0, shard: UInt64 = 0) {
        var bucket = 0
        while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
        let first = series * (bounds.count + 2)
        cells.add(to: first + bucket, shard: shard)
        // The sum follows the buckets.
        cells.add(value, to: first + bounds.count + 1, shard: shard)
    }

    /// Writes one series. With `unlessEmpty`, an empty series is left out.
    func write(
        series: Int = 0,
        _ labels: [(name: String, value: String)] = [],
        unlessEmpty: Bool = false,
        to exposition: inout Exposition
    ) {
        let first = series * (bounds.count + 2)
        let counts = (0...bounds.count).map { cells.sum(first + $0) }
        if unlessEmpty, counts.allSatisfy({ $0 == 0 }) { return }
        exposition.histogram(
            bounds: bounds.map { Double($0) / unitsPerShown },
            counts: counts,
            sum: Double(cells.sum(first + bounds.count + 1)) / unitsPerShown,
            labels
        )
    }
}

extension Duration {
    /// Whole nanoseconds.
    var nanoseconds: Int {
        Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000)
    }
}
