import DeckEngine
import Hummingbird

// What a drag and its response are in JSON (docs/api.md).

struct DragRequest: Decodable {
    var type: String
    var phase: String
    var location: Point?
    var translation: Point?

    var event: DragEvent {
        get throws {
            guard type == "drag" else { throw HTTPError(.unprocessableContent) }
            let phases: [String: DragEvent.Phase] = [
                "began": .began, "changed": .changed, "ended": .ended, "cancelled": .cancelled,
            ]
            guard let phase = phases[phase] else { throw HTTPError(.unprocessableContent) }
            return DragEvent(phase, translation: translation?.vector, location: location?.vector)
        }
    }
}

struct SessionResponse: ResponseEncodable {
    var id: String
}

struct EventResponse: ResponseEncodable {
    var results: [EventResult]
    var notifications: [DragNotice]
    var frame: FrameBody

    init(_ outcome: Outcome, _ frame: Frame, session: String, at time: Instant) {
        results = [EventResult(outcome)]
        // A moving drag has one notification, with what the frame says of the drag.
        notifications = [DragNotice(frame, at: time)]
        self.frame = FrameBody(frame, session: session)
    }
}

struct EventResult: Encodable {
    var type = "drag"
    var applied: Bool
    var direction: String?
    var index: Int?
    var version: Int

    init(_ outcome: Outcome) {
        applied = outcome.isApplied
        direction = outcome.direction.map { "\($0.name)" }
        index = outcome.index
        version = outcome.version
    }
}

struct DragNotice: Encodable {
    var at: Double
    var type = "dragged"
    var index: Int
    var id: String
    var direction: String?
    var percentage: Double

    init(_ frame: Frame, at time: Instant) {
        at = time.milliseconds
        index = frame.currentIndex
        id = "\(frame.currentIndex)"
        direction = frame.drag?.direction.map { "\($0.name)" }
        percentage = 100 * (frame.drag?.progress ?? 0)
    }
}

struct FrameBody: Encodable {
    var session: String
    var version: Int
    var at: Double
    var currentIndex: Int
    var cardCount: Int
    var visibleCount: Int
    var loop: Bool
    var exhausted: Bool
    var dragging: Bool
    var drag: DragBody?
    var pending: String?
    var animating: Bool
    var settlesAt: Double?
    var canRevert: Int
    var canRedo: Int
    var cards: [CardBody]
    var lastNotification: Int

    init(_ frame: Frame, session: String) {
        self.session = session
        version = frame.version
        at = frame.at.milliseconds
        currentIndex = frame.currentIndex
        cardCount = frame.cardCount
        visibleCount = frame.visibleCount
        loop = frame.loop
        exhausted = frame.exhausted
        dragging = frame.dragging
        drag = frame.drag.map { DragBody($0) }
        animating = frame.animating
        settlesAt = frame.settlesAt?.milliseconds
        canRevert = frame.canRevert
        canRedo = frame.canRedo
        cards = frame.cards.map { CardBody($0) }
        lastNotification = frame.lastNotification
    }
}

struct DragBody: Encodable {
    var translation: Point
    var direction: String?
    var percentage: Double
    var thresholdPercentage: Double
    var outcome = "reset"
    var reason = "below-threshold"

    init(_ drag: FrameDrag) {
        translation = Point(drag.translation)
        direction = drag.direction.map { "\($0.name)" }
        percentage = 100 * drag.progress
        thresholdPercentage = 100 * drag.thresholdProgress
    }
}

struct CardBody: Encodable {
    var index: Int
    var id: String
    var role: String
    var z: Int
    var frame: RectBody
    var face: String
    var matrix: [Double]
    var anchor: Point
    var contentScale: Point
    var opacity: Double
    var interactive: Bool
    var overlay: OverlayBody?
    var allowedDirections: [String]

    init(_ card: FrameCard) {
        index = card.index
        id = card.id.text
        role = "\(card.role.name)"
        z = card.z
        frame = RectBody(x: card.frame.x, y: card.frame.y, width: card.frame.width, height: card.frame.height)
        face = "\(card.face.name)"
        let matrix = card.matrix
        self.matrix = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty]
        anchor = Point(x: card.anchor.x, y: card.anchor.y)
        contentScale = Point(card.contentScale)
        opacity = card.opacity
        interactive = card.interactive
        overlay = card.overlay.map {
            OverlayBody(direction: "\($0.direction.name)", progress: $0.progress, alpha: $0.alpha)
        }
        allowedDirections = card.allowedDirections.map { "\($0.name)" }
    }
}

struct OverlayBody: Encodable {
    var direction: String
    var progress: Double
    var alpha: Double
}

struct RectBody: Encodable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
}

struct Point: Codable {
    var x: Double
    var y: Double

    var vector: Vector { Vector(x: x, y: y) }

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    init(_ vector: Vector) {
        self.init(x: vector.x, y: vector.y)
    }
}
