import DeckJournal
import DeckWire

/// Puts the endpoints of decks and sessions together from what they share.
struct Endpoints {
    var configuration: ServiceConfiguration
    var decks: DeckLibrary
    var sessions: SessionTable
    var parsers: ParserPool
    var journal: any Journal
    var polls: WaitingRoom
    var streams: WaitingRoom
    var refusals: RefusalMetrics
    var streamMetrics: StreamMetrics

    /// Every path but those for whoever runs the server.
    var routes: [Route] {
        let past = PastReader(journal: journal)
        return events.routes
            + FrameEndpoints(sessions: sessions, past: past, polls: polls).routes
            + FramesEndpoints(sessions: sessions, past: past).routes
            + streaming.routes
            + CardEndpoints(sessions: sessions).routes
            + FeedEndpoints(sessions: sessions, journal: journal, feed: FeedWatch(journal), polls: polls).routes
            + forks(past).routes
            + beginnings.routes
            + DeckEndpoints(decks: decks, parsers: parsers).routes
            + ProblemEndpoints().routes
            + DocumentEndpoints().routes
    }

    private var events: EventEndpoints {
        EventEndpoints(
            decks: decks,
            sessions: sessions,
            parsers: parsers,
            journal: journal,
            limit: limit,
            refusals: refusals
        )
    }

    private var limit: EventLimit {
        EventLimit(
            perSecond: configuration.eventsPerSecond,
            burst: max(configuration.eventBurst, WireLimits.eventsPerBatch)
        )
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
            parsers: parsers,
            journal: journal,
            sessionsPerKey: configuration.sessionsPerKey,
            limit: limit
        )
    }

    private func forks(_ past: PastReader) -> ForkEndpoints {
        ForkEndpoints(
            sessions: sessions,
            parsers: parsers,
            past: past,
            journal: journal,
            sessionsPerKey: configuration.sessionsPerKey,
            limit: limit
        )
    }
}
