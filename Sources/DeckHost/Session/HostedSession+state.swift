public import DeckEngine

extension HostedSession {
    /// The state of a session.
    public struct State: Sendable {
        /// The deck as its last event left it.
        public internal(set) var session: DeckSession
        /// The preset that the deck started from.
        public internal(set) var preset: Preset
        /// The version in the last record.
        public internal(set) var savedVersion = 0
        /// The revision of the cards in the last record.
        var savedCards: Int
        /// The last notifications.
        public internal(set) var notifications = NotificationLog()
        /// The log; nil if the session is not recorded.
        public internal(set) var log: SessionLog?

        init(session: DeckSession, preset: Preset, savedVersion: Int = 0) {
            self.session = session
            self.preset = preset
            self.savedVersion = savedVersion
            savedCards = session.cardsRevision
        }
    }
}
