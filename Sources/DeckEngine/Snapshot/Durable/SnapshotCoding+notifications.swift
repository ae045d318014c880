// Notifications have a separate snapshot, because a session does not store them.

/// Encodes and decodes notifications.
public enum NotificationSnapshot {
    /// A notification as bytes, as if it were the only one of a list.
    public static func bytes(of notification: DeckNotification) -> [UInt8] {
        var writer = writer(count: 1)
        notification.write(to: &writer, after: nil)
        return writer.bytes
    }

    /// The notifications as bytes.
    public static func bytes(of notifications: [DeckNotification]) -> [UInt8] {
        var writer = writer(count: notifications.count)
        var former: DeckNotification?
        for notification in notifications {
            notification.write(to: &writer, after: former)
            former = notification
        }
        return writer.bytes
    }

    /// A writer that has written the count of a list.
    private static func writer(count: Int) -> SnapshotWriter {
        var writer = SnapshotWriter.formatted()
        writer.unsigned(UInt64(count))
        return writer
    }

    /// Decodes notifications.
    ///
    /// - Throws: `damaged` if the bytes are not notifications, and `unknownFormat`.
    public static func read(_ bytes: ArraySlice<UInt8>) throws(SnapshotError) -> [DeckNotification] {
        var reader = try SnapshotReader(formatted: bytes)
        var notifications: [DeckNotification] = []
        for _ in 0..<(try reader.count()) {
            notifications.append(try DeckNotification(from: &reader, after: notifications.last))
        }
        try reader.requireEnd()
        return notifications
    }

    /// Decodes notifications of the first format, which does not start with its number.
    ///
    /// - Throws: `damaged` if the bytes are not notifications.
    public static func readFirstFormat(_ bytes: ArraySlice<UInt8>) throws(SnapshotError) -> [DeckNotification] {
        var reader = SnapshotReader(bytes, format: .first)
        let notifications = try reader.read([DeckNotification].self)
        try reader.requireEnd()
        return notifications
    }
}

extension DeckNotification: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        write(to: &writer, after: nil)
    }

    /// The values that are the same as in the previous notification and are omitted.
    private struct Shared: OptionSet {
        let rawValue: UInt8
        /// The number is the next one.
        static let sequence = Shared(rawValue: 1)
        static let time = Shared(rawValue: 2)
        static let card = Shared(rawValue: 4)
        /// The card's id is its index.
        static let counted = Shared(rawValue: 8)
    }

    fileprivate func write(to writer: inout SnapshotWriter, after former: DeckNotification?) {
        var shared: Shared = []
        if let former {
            if let sequence, former.sequence == sequence - 1 { shared.insert(.sequence) }
            if at == former.at { shared.insert(.time) }
            if cardID == former.cardID { shared.insert(.card) }
        }
        if let index = kind.index, cardID == CardID(index) { shared.insert(.counted) }
        writer.byte(shared.rawValue)
        if !shared.contains(.sequence) { writer.write(sequence) }
        if !shared.contains(.time) { writer.write(at) }
        writer.write(kind)
        if !shared.contains(.card), !shared.contains(.counted) { writer.write(cardID) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        guard reader.format == .first else {
            try self.init(from: &reader, after: nil)
            return
        }
        self.init(
            sequence: try reader.read(),
            at: try reader.read(),
            kind: try reader.read(),
            cardID: try reader.read()
        )
    }

    fileprivate init(from reader: inout SnapshotReader, after former: DeckNotification?) throws(SnapshotError) {
        let shared = Shared(rawValue: try reader.byte())
        let next = (former?.sequence).map { $0 &+ 1 }
        sequence = shared.contains(.sequence) ? next : try reader.read()
        at = shared.contains(.time) ? former?.at ?? .zero : try reader.read()
        kind = try reader.read()
        if shared.contains(.counted) {
            cardID = kind.index.map { CardID($0) }
        } else {
            cardID = shared.contains(.card) ? former?.cardID : try reader.read()
        }
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
            .didSwipe(let index, let direction), .didRedo(let index, let direction),
            .needsConfirmation(let index, let direction):
            writer.write(index)
            writer.write(direction)
        case .panBegan(let index), .panFinished(let index), .didReset(let index), .didShow(let index),
            .didRewind(let index), .didPress(let index):
            writer.write(index)
        case .didSelect(let index, let count):
            writer.write(index)
            writer.write(count)
        case .didFlip(let index, let face):
            writer.write(index)
            writer.write(face)
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
        case .didPress: 15
        case .didFlip: 16
        case .needsConfirmation: 17
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
        case 10:
            let index = try reader.read(Int.self)
            self = .didSelect(index: index, count: reader.format == .first ? 1 : try reader.read())
        case 11: self = .didRunOut
        case 12: self = .needsCards(remaining: try reader.read())
        case 13: self = .didLoop
        case 14: self = .didAppear
        case 15: self = .didPress(index: try reader.read())
        case 16: self = .didFlip(index: try reader.read(), try reader.read())
        case 17: self = .needsConfirmation(index: try reader.read(), try reader.read())
        default: throw .damaged
        }
    }
}
