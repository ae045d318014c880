// What was told, in a snapshot of its own: a session does not hold it.

/// Notifications as bytes, and from bytes.
public enum NotificationSnapshot {
    /// The notifications as bytes.
    public static func bytes(of notifications: some Collection<DeckNotification>) -> [UInt8] {
        var writer = SnapshotWriter()
        writer.write(Array(notifications))
        return writer.bytes
    }

    /// The notifications that were written.
    ///
    /// - Throws: `damaged` if the bytes are no notifications.
    public static func read(_ bytes: ArraySlice<UInt8>) throws(SnapshotError) -> [DeckNotification] {
        var reader = SnapshotReader(bytes)
        let notifications = try reader.read([DeckNotification].self)
        guard reader.isAtEnd else { throw .damaged }
        return notifications
    }
}

extension DeckNotification: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(sequence)
        writer.write(at)
        writer.write(kind)
        writer.write(cardID)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            sequence: try reader.read(),
            at: try reader.read(),
            kind: try reader.read(),
            cardID: try reader.read()
        )
    }
}

extension DeckNotification.Kind: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.byte(number)
        switch self {
        case .dragged(let index, let percentage, let direction):
            writer.write(index)
            writer.write(percentage)
            writer.write(direction)
        case .thresholdCrossed(let index, let direction), .thresholdUncrossed(let index, let direction),
            .didSwipe(let index, let direction), .didRedo(let index, let direction):
            writer.write(index)
            writer.write(direction)
        case .panBegan(let index), .panFinished(let index), .didReset(let index), .didShow(let index),
            .didRewind(let index), .didSelect(let index):
            writer.write(index)
        case .needsCards(let remaining): writer.write(remaining)
        case .didRunOut, .didLoop, .didAppear: break
        }
    }

    private var number: UInt8 {
        switch self {
        case .panBegan: 0
        case .panFinished: 1
        case .dragged: 2
        case .thresholdCrossed: 3
        case .thresholdUncrossed: 4
        case .didReset: 5
        case .didSwipe: 6
        case .didShow: 7
        case .didRewind: 8
        case .didRedo: 9
        case .didSelect: 10
        case .didRunOut: 11
        case .needsCards: 12
        case .didLoop: 13
        case .didAppear: 14
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0: self = .panBegan(index: try reader.read())
        case 1: self = .panFinished(index: try reader.read())
        case 2: self = .dragged(index: try reader.read(), percentage: try reader.read(), try reader.read())
        case 3: self = .thresholdCrossed(index: try reader.read(), try reader.read())
        case 4: self = .thresholdUncrossed(index: try reader.read(), try reader.read())
        case 5: self = .didReset(index: try reader.read())
        case 6: self = .didSwipe(index: try reader.read(), try reader.read())
        case 7: self = .didShow(index: try reader.read())
        case 8: self = .didRewind(index: try reader.read())
        case 9: self = .didRedo(index: try reader.read(), try reader.read())
        case 10: self = .didSelect(index: try reader.read())
        case 11: self = .didRunOut
        case 12: self = .needsCards(remaining: try reader.read())
        case 13: self = .didLoop
        case 14: self = .didAppear
        default: throw .damaged
        }
    }
}
