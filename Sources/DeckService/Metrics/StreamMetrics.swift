import MicroHTTP

/// Counts of event streams.
final class StreamMetrics: Sendable {
    private let open = Cells(1)
    private let ends = Cells(endNames.count)

    private static let endNames = ["ended", "client-left", "overflow", "stopping", "not-begun"]

    /// A stream starts; ``streamEnded(_:)`` follows.
    func streamBegan() { open.add(1, to: 0) }

    /// A stream is over.
    func streamEnded(_ end: BodyStream.End) {
        open.add(-1, to: 0)
        let place =
            switch end {
            // The service cuts off bodies in parts only, which do not count.
            case .ended, .cutOff: 0
            case .clientLeft: 1
            case .overflow: 2
            case .stopping: 3
            case .notBegun: 4
            }
        ends.add(to: place)
    }

    func write(to exposition: inout Exposition) {
        exposition.metric("deckd_streams_open", .gauge, "Event streams that are open.", value: open.sum(0))
        exposition.metric("deckd_streams_ended_total", .counter, "Event streams that are over, by the reason.")
        for (place, name) in Self.endNames.enumerated() { exposition.sample(ends.sum(place), [("reason", name)]) }
    }
}
