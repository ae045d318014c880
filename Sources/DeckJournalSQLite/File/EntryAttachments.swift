import DeckJournal

/// The notifications and the parts of the state that an entry adds to those of the entries before. In a session's row it has
/// all notifications and parts that are still needed.
///
/// As one value: how many parts are needed and how many notifications there are, in four bytes each, the lowest first, and
/// then the notifications and the parts as `ByteStrings`. NULL: there are none of either.
struct EntryAttachments {
    var notifications: [[UInt8]] = []
    var parts: [[UInt8]] = []
    /// How many of the newest parts the state needs.
    var neededPartCount = 0

    init() {}

    init(notifications: [[UInt8]], _ parts: StateParts) {
        self.notifications = notifications.suffix(SessionLimits.notifications)
        self.parts = parts.new
        neededPartCount = parts.neededCount
    }

    init(_ bytes: [UInt8]?) throws {
        guard let bytes else { return }
        var reader = ByteReader(bytes)
        guard let neededPartCount = reader.number(bytes: 4), let notificationCount = reader.number(bytes: 4) else {
            throw JournalError.damaged("a row's notifications are cut off")
        }
        self.neededPartCount = Int(neededPartCount)
        let strings = try ByteStrings.decode(Array(reader.rest))
        guard notificationCount <= strings.count else {
            throw JournalError.damaged("a row has \(strings.count) byte strings and \(notificationCount) notifications")
        }
        notifications = Array(strings.prefix(Int(notificationCount)))
        parts = Array(strings.dropFirst(Int(notificationCount)))
    }

    /// Whether there are no notifications and no parts.
    var isEmpty: Bool {
        notifications.isEmpty && parts.isEmpty
    }

    /// nil for nothing.
    var bytes: [UInt8]? {
        guard !isEmpty || neededPartCount > 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt64(truncatingIfNeeded: neededPartCount), bytes: 4)
        bytes.append(littleEndian: UInt64(notifications.count), bytes: 4)
        return bytes + (ByteStrings.encode(notifications + parts) ?? [])
    }
}
