import DeckHost
import DeckJournal

/// The endpoints of decks and sessions, and the metrics in which they count.
struct Endpoints {
    /// Every route except those for operators.
    let routes: [Route]
    let refusals = RefusalMetrics()
    let streamMetrics = StreamMetrics()

    init(
        _ configuration: ServiceConfiguration,
        _ decks: DeckLibrary,
        _ sessions: SessionTable,
        _ journal: any Journal,
        polls: WaitingRoom,
        streams: WaitingRoom
    ) {
        let counts = StreamCounts(
            maximum: configuration.maximumStreams,
            maximumPerSession: configuration.maximumStreamsPerSession
        )
        routes =
            EventEndpoints(decks: decks, sessions: sessions, refusals: refusals).routes
            + FrameEndpoints(sessions: sessions, polls: polls).routes
            + FrameSeriesEndpoints(sessions: sessions).routes
            + StreamEndpoints(sessions: sessions, streams: streams, counts: counts, metrics: streamMetrics).routes
            + CardEndpoints(sessions: sessions).routes
            + SnapshotEndpoints(sessions: sessions).routes
            + FeedEndpoints(sessions: sessions, journal: journal, feed: FeedWatch(journal), polls: polls).routes
            + ForkEndpoints(sessions: sessions).routes
            + SessionEndpoints(decks: decks, sessions: sessions, journal: journal).routes
            + DeckEndpoints(decks: decks).routes
            + ProblemEndpoints().routes
            + FileEndpoints().routes
    }
}
