public import DeckEngine
internal import DeckJournal

extension HostedSession {
    /// The state of a session.
    public struct State: Sendable {
        /// The deck as its last event left it.
        public internal(set) var session: DeckSession {
            @inline(__always) _read { yield shared.value }
            @inline(__always) _modify {
                rest = nil
                moment = nil
                yield &shared.value
            }
        }
        /// Readers, the entry in flight and the outcome of an operation have the same session most of the time. What changes
        /// frames must be done through ``session``.
        var shared: Shared<DeckSession>
        /// What readers of the session at rest share; nil: the session has changed since a client read it, or moved then.
        public internal(set) var rest: Rest?
        /// The last moment that a stream has shown; nil: the session has changed since then, or has no streams.
        public internal(set) var moment: SharedMoment?
        /// The preset that the deck started from.
        public internal(set) var preset: Preset
        /// What the last entry has.
        var saved: SavedSession
        /// Whether numbers were skipped that another process, or this one in an earlier life, may have given out.
        var skipsNumbers = false
        /// What the next entry adds to the feed before the records of its changes.
        var unsavedFeedRecords: [FeedRecord] = []
        /// Whether entries reserve a block of numbers, for changes that need no commit.
        var usesBlock = false
        /// The last notifications.
        public internal(set) var notifications = NotificationLog()
        /// The log; nil if the session is not recorded.
        public internal(set) var log: SessionLog?

        /// A session as the journal has it, or as it is about to be created.
        ///
        /// - Parameter savedCards: how the journal has the cards; nil: they are about to be saved as a whole.
        init(session: DeckSession, preset: Preset, savedCards: SavedCards? = nil) {
            shared = Shared(session)
            self.preset = preset
            saved = SavedSession(session, savedCards ?? SavedCards(baseBytes: 0))
        }

        /// Calls a closure with the session where it is. A function that gets ``session`` gets a copy.
        public func withSession<Result>(_ body: (DeckSession) -> Result) -> Result { shared.read(body) }

        /// Adds a checkpoint to the log if the next line must be one. It has the session before the next change.
        mutating func recordCheckpointIfDue() {
            guard log?.isDueForCheckpoint == true else { return }
            recordCheckpoint()
        }

        /// Adds a checkpoint to the log.
        mutating func recordCheckpoint() {
            let state = self
            log?.append(checkpointOf: state)
        }

        /// Counts everything as saved, without reserved numbers.
        ///
        /// - Returns: the cards, which must be saved as a whole.
        mutating func countAsSaved() -> CardsBase {
            let cards = CardsBase(session.cardsSnapshot())
            _ = session.takeUnsavedCards()
            saved = SavedSession(session, SavedCards(baseBytes: cards.bytes.count))
            usesBlock = false
            skipsNumbers = false
            unsavedFeedRecords = []
            return cards
        }
    }
}
