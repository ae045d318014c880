import DeckHost
import DeckJournal
import DeckWire

/// The endpoints of decks and sessions, with the objects that they share.
struct Endpoints {
    var configuration: ServiceConfiguration
    var decks: DeckLibrary
    var sessions: SessionTable
    var journal: any Journal
    var polls: WaitingRoom
    var streams: WaitingRoom
    var refusals: RefusalMetrics
    var streamMetrics: StreamMetrics

    /// Every route except those for operators.
    var routes: [Route] {
        events.routes
            + FrameEndpoints(sessions: sessions, polls: polls).routes
            + FramesEndpoints(sessions: sessions).routes
            + streaming.routes
            + CardEndpoints(sessions: sessions).routes
            + SnapshotEndpoints(sessions: sessions).routes
            + FeedEndpoints(sessions: sessions, journal: journal, feed: FeedWatch(journal), polls: polls).routes
            + ForkEndpoints(sessions: sessions).routes
            + beginnings.routes
            + DeckEndpoints(decks: decks).routes
            + ProblemEndpoints().routes
            + DocumentEndpoints().routes
    }

    private var events: EventEndpoints {
        EventEndpoints(decks: decks, sessions: sessions, refusals: refusals)
    }

    private var streaming: StreamEndpoints {
        StreamEndpoints(
            sessions: sessions,
            streams: streams,
            counts: StreamCounts(
                maximum: configuration.maximumStreams,
                maximumPerSession: configuration.maximumStreamsPerSession
            ),
            metrics: streamMetrics
        )
    }

    private var beginnings: SessionEndpoints {
        SessionEndpoints(
            decks: decks,
            sessions: sessions,
            journal: journal
        )
    }
}
