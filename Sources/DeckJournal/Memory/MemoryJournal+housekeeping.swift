internal import Locking

extension MemoryJournal {
    private static let sessionsPerStep = 500
    private static let stepsPerRound = 40
    private static let feedRowsPerStep = 2000

    /// Removes data that is older than its age, in steps between which other calls are served.
    func tidy() {
        let now = options.clock()
        let due = DueTimes(options.ages, at: now)
        guard !due.isEmpty else { return }
        for _ in 0..<Self.stepsPerRound {
            var news = News()
            let isComplete = state.withLock { state in
                guard !state.isClosed else { return true }
                if let time = due.answers { state.decks.removeKeys(before: time) }
                if let time = due.feedRecords { state.feed.removeRows(before: time, limit: Self.feedRowsPerStep) }
                let (ended, isRoundComplete) = state.sessions.tidy(Self.sessionsPerStep, due)
                for identity in ended { state.noteEnd(of: identity, at: now, &news) }
                return isRoundComplete
            }
            notify(news)
            if isComplete { return }
        }
    }
}
