import DeckEngine
import Foundation
import Hummingbird
import Logging
import Synchronization

// Swipe decks behind Hummingbird, as a Swift developer would write them with Codable: the same engine, the same drag and
// the same members of the response as deckd. Nothing is stored, checked, limited or logged. It prints its port.

struct PeerSession {
    var engine: DeckSession
    let start = ContinuousClock.now

    var time: Instant {
        let elapsed = (ContinuousClock.now - start).components
        return Instant(Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15)
    }

    init() {
        var settings = DeckSettings()
        settings.loop = true
        let deck = Deck(cards: .numbered(100), settings: settings)
        engine = DeckSession.begin(deck: deck, viewport: Size(width: 375, height: 600)).session
    }
}

/// The sessions, by their ids. Requests of different sessions come on different threads.
final class PeerSessions: Sendable {
    private let sessions = Mutex<[String: PeerSession]>([:])

    func create() -> String {
        sessions.withLock { sessions in
            let id = "session-\(sessions.count)-of-a-peer"
            sessions[id] = PeerSession()
            return id
        }
    }

    func apply(_ request: DragRequest, to id: String) throws -> EventResponse {
        try sessions.withLock { sessions in
            guard let time = sessions[id]?.time else { throw HTTPError(.notFound) }
            guard let outcome = try sessions[id]?.engine.apply(.drag(try request.event), at: time) else {
                throw HTTPError(.notFound)
            }
            guard let frame = sessions[id]?.engine.frame(at: time) else { throw HTTPError(.notFound) }
            return EventResponse(outcome, frame, session: id, at: time)
        }
    }
}

let sessions = PeerSessions()
let router = Router()
router.post("/v1/sessions") { _, _ in SessionResponse(id: sessions.create()) }
router.post("/v1/sessions/:id/events") { request, context in
    let drag = try await request.decode(as: DragRequest.self, context: context)
    return try sessions.apply(drag, to: try context.parameters.require("id"))
}
var logger = Logger(label: "peer")
logger.logLevel = .error
let application = Application(
    router: router,
    configuration: .init(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { channel in
        print(channel.localAddress?.port ?? 0)
        fflush(nil)
    },
    logger: logger
)
try await application.runService()
