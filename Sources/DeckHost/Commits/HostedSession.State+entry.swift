internal import DeckEngine
internal import DeckJournal

// The numbers that clients see are never used twice. Versions and notifications that need no commit are taken from a block
// that a committed entry has reserved. A process that loads the session continues above it.
extension HostedSession.State {
    /// The highest numbers that a session can have given out.
    struct Reserved: Sendable, Equatable {
        var version: Int
        var notification: Int

        /// How many numbers a block has.
        static let versions = 1024
        static let notifications = 16_384
        /// The most notifications that an event is expected to lead to.
        static let notificationsPerEvent = 128

        init(version: Int, notification: Int) {
            self.version = version
            self.notification = notification
        }

        /// The numbers that were given out, and no others.
        init(exactly numbers: SessionNumbers) {
            version = numbers.version
            notification = numbers.notification
        }

        mutating func addBlock() {
            version += Self.versions
            notification += Self.notifications
        }
    }

    /// The last numbers of the session.
    var numbers: SessionNumbers { shared.read(\.numbers) }

    /// Whether the session has given itself numbers that no committed entry has reserved.
    var hasUnreservedNumbers: Bool {
        let numbers = numbers
        return numbers.version > saved.reserved.version || numbers.notification > saved.reserved.notification
    }

    /// Whether the last entry has the session as it is, with its whole log, and reserves no more numbers.
    var isSavedExactly: Bool {
        shared.read { saved.isExact($0) } && log?.lineCount == log?.savedLineCount
    }

    /// Whether nothing but the clock has moved since the last entry.
    var hasOnlyMovedClock: Bool {
        shared.read { saved.hasOnlyMovedClock($0) }
    }

    /// Whether the block has enough numbers for events that need no commit.
    func hasReservedNumbers(forEvents count: Int) -> Bool {
        let numbers = numbers
        return numbers.version + count <= saved.reserved.version
            && numbers.notification + count * Reserved.notificationsPerEvent <= saved.reserved.notification
    }

    /// Continues above every number that may have been given out since the last entry was committed.
    ///
    /// - Parameter restoredGeneration: the journal's generation if older data was restored since the last entry was
    ///   committed. The numbers of that generation are then above all that were given out before. nil: it was not.
    mutating func continueAboveReserved(restoredGeneration: Int?) {
        var used = SessionNumbers.before(generation: restoredGeneration ?? 0)
        used.version = max(saved.reserved.version, used.version)
        used.notification = max(saved.reserved.notification, used.notification)
        guard used.version > session.version || used.notification > session.lastNotification else { return }
        skipsNumbers = true
        // A reader sees the session under a new version, because other states may have had the versions of the block.
        used.version += 1
        skip(to: used)
    }

    /// Continues above some numbers if its own are smaller, and adds that to the log.
    mutating func skip(to numbers: SessionNumbers) {
        let own = self.numbers
        guard
            own.version < numbers.version || own.notification < numbers.notification || own.verdict < numbers.verdict
        else { return }
        recordCheckpointIfDue()
        let now = session.now
        continueAbove(numbers)
        log?.append(numbers, at: now)
    }

    /// Continues above some numbers. Queued commands can take effect, which the next entry saves.
    mutating func continueAbove(_ numbers: SessionNumbers) {
        unsavedFeedRecords.append(recordsOf: raiseNumbers(to: numbers))
    }

    /// Raises the last numbers of the session, also when a log is played.
    ///
    /// - Returns: the notifications that this causes.
    mutating func raiseNumbers(to numbers: SessionNumbers) -> DeckNotifications {
        let raised = session.raiseNumbers(to: numbers)
        notifications.append(raised)
        return raised
    }

    /// Makes the entry that saves the session. Everything that it contains counts as saved from now on.
    ///
    /// - Parameter feedRecords: what the changes since the last entry add to the feed.
    mutating func entry(feedRecords: [FeedRecord], answers: [AnswerRecord]) -> Entry {
        let newNotifications = notifications.unsaved(after: saved.notification)
        let (cards, leavingCards) = saved.take(&shared, usesBlock: usesBlock)
        let entry = Entry(
            nonce: Nonce.next(),
            at: .now(),
            version: shared.read(\.version),
            state: SessionForm.bytes(of: self, leavingCards: leavingCards.references),
            parts: StateParts(new: leavingCards.newParts, neededCount: leavingCards.neededPartCount),
            notifications: newNotifications.map { NotificationSnapshot.bytes(of: $0) },
            cards: cards,
            feedRecords: unsavedFeedRecords.isEmpty ? feedRecords : unsavedFeedRecords + feedRecords,
            logLines: log?.take() ?? [],
            answers: answers
        )
        unsavedFeedRecords = []
        return entry
    }
}

extension SessionNumbers {
    /// The number of bits of a number that count within a generation of the journal. Even with the largest generation, numbers
    /// are below 2^53, from which on JavaScript cannot represent every whole number.
    private static let bitsInGeneration = 35

    /// The numbers that no session exceeds before a generation of the journal.
    static func before(generation: Int) -> SessionNumbers {
        let floor = generation << bitsInGeneration
        return SessionNumbers(version: floor, notification: floor, verdict: floor)
    }
}
