import Foundation
import FoundationNetworking
import JSONTesting

/// A request that meets a fault of the journal.
struct FaultRoute: Sendable {
    var name: String
    /// Whether it only reads, so that all cases can share a scene.
    var isReading = false
    /// Whether it can be sent again with the same outcome.
    var isKeyed = false
    /// Whether it reserves numbers, which are skipped when the session is loaded again.
    var skipsNumbers = false
    var send: @Sendable (FaultScene) async throws -> Answer
}

extension FaultRoute {
    private static func get(_ name: String, _ path: @escaping @Sendable (FaultScene) -> String) -> FaultRoute {
        FaultRoute(name: name, isReading: true) { try await $0.client.get(path($0)) }
    }

    private static func change(
        _ method: String,
        _ name: String,
        _ body: String? = nil,
        _ headers: [String: String] = [:],
        skipsNumbers: Bool = false,
        path: @escaping @Sendable (FaultScene) -> String
    ) -> FaultRoute {
        let isKeyed = headers["Idempotency-Key"] != nil
        return FaultRoute(name: name, isKeyed: isKeyed, skipsNumbers: skipsNumbers) { scene in
            let body = body.map { Data($0.replacing("DECK", with: scene.deck).utf8) }
            var headers = headers.mapValues { $0.replacing("DECK", with: scene.deck) }
            headers["If-Match"] = headers["If-Match"]?
                .replacing("TAG", with: scene.deckTag).replacing("VERSION", with: scene.version)
            return try await scene.client.send(method, path(scene), body, headers: headers)
        }
    }

    /// A key that each scene has for itself.
    private static let key = ["Idempotency-Key": "\"DECK\""]

    static let all = readings + events + changes + forks + decks

    private static let readings: [FaultRoute] = [
        get("session") { $0.path },
        get("sessions") { _ in "/v1/sessions" },
        get("log") { "\($0.path)/events" },
        get("frame") { "\($0.path)/frame?since=0&include=data,labels,motion" },
        get("frame at a past moment") { "\($0.path)/frame?at=1100" },
        get("frames") { "\($0.path)/frames?from=900&to=1200&fps=20" },
        get("picture") { "\($0.path)/frame.svg" },
        get("slots") { "\($0.path)/slots" },
        get("cards") { "\($0.path)/cards" },
        get("card") { "\($0.path)/cards/2" },
        get("verdicts") { "\($0.path)/verdicts" },
        get("feed") { "/v1/verdicts?deck=\($0.deck)&limit=3" },
        get("feed of everything") { "/v1/feed?deck=\($0.deck)&limit=3" },
        FaultRoute(name: "waiting for the feed", isReading: true) {
            try await $0.client.get("/v1/verdicts?deck=\($0.deck)&limit=3", headers: ["Prefer": "wait=1"])
        },
        FaultRoute(name: "waiting for a frame", isReading: true) {
            try await $0.client.get("\($0.path)/frame", headers: ["Prefer": "wait=1", "If-None-Match": "\"0\""])
        },
        // A session that is watched does not leave memory, so each case needs its own.
        FaultRoute(name: "stream", send: openStream),
        // The deck is read from the journal once, so that each case needs its own.
        FaultRoute(name: "deck") { try await $0.client.get("/v1/decks/\($0.deck)") },
        get("decks") { _ in "/v1/decks?limit=1" },
    ]

    /// Opens a stream, and answers with its first frame.
    @Sendable private static func openStream(_ scene: FaultScene) async throws -> Answer {
        let stream = try EventSource("\(scene.client.base)\(scene.path)/stream")
        defer { stream.close() }
        let status = await stream.head()?.statusCode ?? 0
        let frame = status == 200 ? await stream.next("frame")?.data : nil
        return Answer(status: status, headers: [:], body: Data((frame ?? "").utf8))
    }

    private static let swipe = #"{"type":"swipe","direction":"right","at":30000}"#
    private static let batch = #"""
        {"events":[{"type":"swipe","direction":"left","at":30000},{"type":"revert","at":31000},
        {"type":"insert","index":0,"cards":[{"id":"new","label":"New"}],"at":32000},{"type":"sendToBack","at":33000},
        {"type":"redo","at":34000},{"type":"remove","from":5,"to":6,"at":35000},{"type":"tick","at":40000}]}
        """#
    private static let drag = #"{"type":"drag","phase":"changed","translation":{"x":40,"y":0},"at":30000}"#

    private static let events: [FaultRoute] = [
        change("POST", "event", swipe) { "\($0.path)/events" },
        change("POST", "batch", batch) { "\($0.path)/events?include=data,motion,labels" },
        change("POST", "event without a frame", swipe) { "\($0.path)/events?frame=none" },
        change("POST", "event with a key", swipe, key) { "\($0.path)/events" },
        change("POST", "batch with a key", batch, key) { "\($0.path)/events" },
        change("POST", "event on a version", swipe, ["If-Match": "VERSION"]) { "\($0.path)/events" },
        change("POST", "event on another version", swipe, ["If-Match": "\"1\""]) { "\($0.path)/events" },
        change("POST", "drag", drag, skipsNumbers: true) { "\($0.path)/events" },
        change("POST", "dry run", batch) { "\($0.path)/events?dryRun=true" },
        change("POST", "reload", #"{"type":"reload","at":30000}"#) { "\($0.path)/events" },
        change("POST", "repetition", FaultScene.formerEvents, ["Idempotency-Key": "\"\(FaultScene.formerKey)\""]) {
            "\($0.path)/events"
        },
    ]

    private static let creation = #"{"deck":"DECK","viewport":{"width":300,"height":400},"clock":"manual"}"#
    private static let patch = #"{"rules":{"swipeThreshold":0.6},"loop":true}"#

    private static let changes: [FaultRoute] = [
        change("POST", "creation", creation) { _ in "/v1/sessions" },
        change("POST", "creation with a key", creation, key) { _ in "/v1/sessions" },
        change("PATCH", "patch", patch) { $0.path },
        change("PATCH", "patch on a version", patch, ["If-Match": "VERSION"]) { $0.path },
        change("DELETE", "end") { $0.path },
        change("DELETE", "end on a version", nil, ["If-Match": "VERSION"]) { $0.path },
    ]

    private static let forks: [FaultRoute] = [
        change("POST", "fork", "{}") { "\($0.path)/fork" },
        change("POST", "fork of a past moment", #"{"at":1500}"#) { "\($0.path)/fork" },
        change("POST", "fork with a key", "{}", key) { "\($0.path)/fork" },
    ]

    private static let deckPatch = #"{"cards":{"c7":null},"loop":true}"#
    private static let appended = #"{"cards":[{"id":"appended"}]}"#
    private static let otherDeck = #"{"count":3}"#

    private static let decks: [FaultRoute] = [
        change("PUT", "new deck", otherDeck) { "/v1/decks/new\($0.deck)" },
        change("PUT", "deck in place of another", otherDeck) { "/v1/decks/\($0.deck)" },
        change("PUT", "deck on a version", otherDeck, ["If-Match": "TAG"]) { "/v1/decks/\($0.deck)" },
        change("PUT", "deck with a key", otherDeck, key) { "/v1/decks/\($0.deck)" },
        change("PATCH", "patch of a deck", deckPatch) { "/v1/decks/\($0.deck)" },
        change("PATCH", "patch of a deck on a version", deckPatch, ["If-Match": "TAG"]) { "/v1/decks/\($0.deck)" },
        change("POST", "appended cards", appended) { "/v1/decks/\($0.deck)/cards" },
        change("POST", "appended cards with a key", appended, key) { "/v1/decks/\($0.deck)/cards" },
        change("DELETE", "removal of a deck") { "/v1/decks/\($0.deck)" },
        change("DELETE", "removal of a deck on a version", nil, ["If-Match": "TAG"]) { "/v1/decks/\($0.deck)" },
    ]
}
