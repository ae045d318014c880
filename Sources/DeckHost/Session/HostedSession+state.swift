public import DeckEngine

extension HostedSession {
    /// What there is of a session.
    public struct State: Sendable {
        /// The deck as its last event left it.
        public internal(set) var session: DeckSession
        /// The preset that the deck started from.
        public internal(set) var preset: Preset
        /// The version that the journal was last given.
        public internal(set) var savedVersion = 0
        /// The cards that the journal was last given.
        var savedCards: Int
        /// The last notifications.
        public internal(set) var notifications = NotificationLog()
        /// What was done since the journal was last given something; nil: the session does not record.
        public internal(set) var log: SessionLog?

        init(session: DeckSession, preset: Preset, savedVersion: Int = 0) {
            self.session = session
            self.preset = preset
            self.savedVersion = savedVersion
            savedCards = session.cardsRevision
        }
    }
}
