/// The recent positions of a finger, from which its speed is computed: the last eight samples, without heap storage.
struct DragSamples: Sendable, Hashable {
    private static let capacity = 8
    /// Older samples do not affect the speed at release.
    private static let window = Milliseconds(100)
    /// A finger that has not moved for longer than this has stopped.
    private static let stillness = Milliseconds(40)
    /// Samples that are closer together say more of the network than of the finger.
    private static let leastSpan = Milliseconds(20)

    private var times = SIMD8<Double>(repeating: -.greatestFiniteMagnitude)
    private var xs = SIMD8<Double>(repeating: 0)
    private var ys = SIMD8<Double>(repeating: 0)
    private var next = 0
    /// When the finger arrived at its current position.
    private var lastMove = -Double.greatestFiniteMagnitude

    /// Adds a sample, which replaces an earlier one at the same time. A sample at the same point means that the finger
    /// rests.
    mutating func append(_ translation: Vector, at time: Instant) {
        let last = (next + Self.capacity - 1) % Self.capacity
        let place = times[last] == time.milliseconds ? last : next
        if xs[last] != translation.x || ys[last] != translation.y { lastMove = time.milliseconds }
        times[place] = time.milliseconds
        xs[place] = translation.x
        ys[place] = translation.y
        next = (place + 1) % Self.capacity
    }

    /// The last position.
    var position: Vector {
        let last = (next + Self.capacity - 1) % Self.capacity
        return Vector(x: xs[last], y: ys[last])
    }

    /// The velocity over the last 100 ms, points per second: the slope of the straight line that best fits the samples;
    /// nil if they span less than 20 ms, or if the finger has not moved for more than 40 ms.
    func velocity(at now: Instant) -> Vector? {
        let since = now - Self.window
        var (count, first, last) = (0.0, Double.infinity, -Double.infinity)
        var (sumT, sumX, sumY) = (0.0, 0.0, 0.0)
        for lane in 0..<Self.capacity where times[lane] >= since.milliseconds {
            count += 1
            first = min(first, times[lane])
            last = max(last, times[lane])
            sumT += times[lane] - now.milliseconds
            sumX += xs[lane]
            sumY += ys[lane]
        }
        guard last - first >= Self.leastSpan.value, now.milliseconds - lastMove <= Self.stillness.value else {
            return nil
        }
        let (meanT, meanX, meanY) = (sumT / count, sumX / count, sumY / count)
        var (spread, alongX, alongY) = (0.0, 0.0, 0.0)
        for lane in 0..<Self.capacity where times[lane] >= since.milliseconds {
            let offset = times[lane] - now.milliseconds - meanT
            spread += offset * offset
            alongX += offset * (xs[lane] - meanX)
            alongY += offset * (ys[lane] - meanY)
        }
        return Vector(x: alongX / spread * 1000, y: alongY / spread * 1000)
    }
}

extension DragSamples: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        for lane in 0..<Self.capacity {
            writer.write(times[lane])
            writer.write(xs[lane])
            writer.write(ys[lane])
        }
        writer.write(next)
        writer.write(lastMove)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        for lane in 0..<Self.capacity {
            times[lane] = try reader.read()
            xs[lane] = try reader.read()
            ys[lane] = try reader.read()
        }
        next = try reader.read()
        try reader.require((0..<Self.capacity).contains(next))
        // The first format did not store when the finger last moved; the time of the last sample is used.
        lastMove =
            if reader.format == .first {
                times[(next + Self.capacity - 1) % Self.capacity]
            } else {
                try reader.read()
            }
    }
}
