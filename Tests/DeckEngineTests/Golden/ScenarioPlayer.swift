import Testing

@testable import DeckEngine

/// Repeats the recorded steps of Koloda on a session, and records the notifications for which Koloda has a callback.
struct ScenarioPlayer {
    private(set) var session: DeckSession
    private(set) var callbacks: [String] = []
    /// The events so far.
    private(set) var applied: [(event: Event, time: Instant)] = []
    private let scenario: Scenario
    /// Where the finger went down and where it is now, in deck coordinates.
    private var finger: (down: Vector, now: Vector)?
    private var lateness = 0.0

    private static let frame = 1000.0 / 60

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        let notifications: DeckNotifications
        (session, notifications) = DeckSession.begin(
            deck: try Self.deck(scenario.config),
            viewport: Size(scenario.config.size ?? [300, 400])
        )
        // A delegate that is set after the data source is not notified of the first card.
        if scenario.config.setup == nil { hear(notifications) }
        if scenario.config.setup == "dataSourceFirstThenReload" { try apply(.reload(session.deck), at: 0) }
    }

    /// Removes the callbacks of former steps.
    mutating func perform(_ step: Scenario.Step) throws {
        if step.op != "setup" { callbacks = [] }
        // The recorded times are rounded to a thousandth of a millisecond. Each wait is a hundredth longer than the one
        // before, so that everything that ends with a step has ended by then.
        if step.op == "advance" { lateness += 0.01 }
        let time = Instant(step.atMs + lateness)
        switch step.op {
        case "setup": break
        case "advance": hear(session.advance(to: time))
        case "drag": try drag(step, endingAt: time)
        case "began": try touch(.began, at: Vector(try #require(step.at)), time: time)
        case "changed": try touch(.changed, at: Vector(try #require(step.at)), time: time)
        case "ended": try touch(.ended, at: nil, time: time)
        case "swipe":
            let direction = try Direction(named: #require(step.dir))
            try apply(.swipe(direction, force: step.force ?? false), at: time)
        case "revert":
            let direction = try step.dir.map(Direction.init(named:))
            try apply(.revert(direction.map(RevertStyle.from) ?? .fade), at: time)
        case "tap": try tap(at: Vector(try #require(step.at)), time: time)
        default: Issue.record("no such operation: \(step.op)")
        }
    }

    private mutating func drag(_ step: Scenario.Step, endingAt end: Instant) throws {
        let (from, to) = (Vector(try #require(step.from)), Vector(try #require(step.to)))
        let count = try #require(step.n)
        let start = end.milliseconds - Double(count + 1) * Self.frame
        try touch(.began, at: from, time: Instant(start))
        for move in 1...count {
            let part = Double(move) / Double(count)
            let place = Vector(x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y))
            try touch(.changed, at: place, time: Instant(start + Double(move) * Self.frame))
        }
        try touch(.ended, at: nil, time: end)
    }

    private mutating func touch(_ phase: DragEvent.Phase, at place: Vector?, time: Instant) throws {
        let time = max(time, session.now)
        if phase == .began, let place { finger = (place, place) }
        guard let down = finger?.down else { return }
        let now = place ?? finger?.now ?? down
        finger = (down, now)
        var event = DragEvent(phase, translation: Vector(x: now.x - down.x, y: now.y - down.y))
        if phase == .began { event.location = location(of: down, at: time) }
        let outcome = try apply(.drag(event), at: time)
        if phase == .ended || !outcome.isApplied { finger = nil }
    }

    /// A point of the deck in the front card's own coordinates.
    private func location(of point: Vector, at time: Instant) -> Vector {
        guard let front = session.frame(at: time).cards.first else { return point }
        let scale = front.contentScale
        return Vector(x: (point.x - front.frame.x) / scale.x, y: (point.y - front.frame.y) / scale.y)
    }

    /// Finds the nearest card under the finger. Only an interactive card accepts the tap.
    private mutating func tap(at point: Vector, time: Instant) throws {
        let frame = session.frame(at: time)
        let hit = frame.cards.sorted { $0.z > $1.z }.first { card in
            let x = point.x - card.matrix.tx - card.frame.x
            let y = point.y - card.matrix.ty - card.frame.y
            return (0...card.frame.width).contains(x) && (0...card.frame.height).contains(y)
        }
        guard let hit, hit.interactive else {
            hear(session.advance(to: time))
            return
        }
        try apply(.tap(index: hit.index), at: time)
    }

    @discardableResult
    private mutating func apply(_ event: Event, at time: Instant) throws -> Outcome {
        let outcome = try session.apply(event, at: time)
        applied.append((event, time))
        hear(outcome.notifications)
        // A client does after the answer what the delegate does in `didRunOut`.
        if outcome.notifications.contains(where: { $0.kind == .didRunOut }) {
            switch scenario.config.delegate?.onRunOut {
            case "reset": try apply(.reset, at: time)
            case "revert": try apply(.revert(.fade), at: time)
            default: break
            }
        }
        return outcome
    }

    private mutating func hear(_ notifications: DeckNotifications) {
        guard scenario.config.hasDelegate else { return }
        callbacks += notifications.compactMap { Self.callback(for: $0.kind) }
    }

    /// The callback's name and arguments as recorded; nil for a notification without a callback in Koloda or in the
    /// recordings.
    private static func callback(for kind: DeckNotification.Kind) -> String? {
        switch kind {
        case .panBegan(let index): "panBegan \(index)"
        case .panFinished(let index): "panFinished \(index)"
        case .didReset: "didReset"
        case .didSwipe(let index, let direction): "didSwipe \(index) \(direction)"
        case .didShow(let index): "didShow \(index)"
        case .didRewind(let index): "didRewind \(index)"
        case .didSelect(let index, _): "didSelect \(index)"
        case .didRunOut: "didRunOut"
        case .dragged, .thresholdCrossed, .thresholdUncrossed, .needsCards, .didLoop, .didAppear, .didRedo, .didPress,
            .didFlip, .needsConfirmation:
            nil
        }
    }

    private static func deck(_ config: Scenario.Config) throws -> Deck {
        var settings = DeckSettings(preset: config.custom == true ? .kolodaBackground : .koloda)
        if config.custom != true {
            var stack = StackLayout()
            if let visible = config.visible { stack.visibleCount = visible }
            if let topMargin = config.topMargin { stack.topMargin = topMargin }
            if let scale = config.scalePercent { stack.scale = scale }
            settings.layout = .stack(stack)
        }
        if let loop = config.loop { settings.loop = loop }
        if let rotationMax = config.rotationMax { settings.motion.rotationMax = rotationMax }
        if let rotationAngle = config.rotationAngle { settings.motion.rotationAngle = Radians(rotationAngle) }
        if let scaleMin = config.scaleMin { settings.motion.scaleMin = scaleMin }
        if let alphaSemi = config.alphaSemi { settings.appearance.semiTransparent = alphaSemi }
        let answers = config.delegate
        settings.motion.appear = config.hasDelegate && answers?.appear != false
        if let moveBackground = answers?.moveBg { settings.motion.moveBackground = moveBackground }
        if let margin = answers?.margin { settings.rules.swipeThreshold = margin }
        if let allowed = answers?.allowed {
            settings.rules.allowedDirections = Directions(try allowed.map(Direction.init(named:)))
        }
        if answers?.shouldSwipe == false { settings.rules.deniedDirections = Directions(Direction.allCases) }
        if let vetoed = answers?.vetoDirs {
            settings.rules.deniedDirections = Directions(try vetoed.map(Direction.init(named:)))
        }
        let count = config.items ?? 5
        guard let vetoedCards = answers?.vetoIdx else {
            return Deck(cards: .numbered(count), settings: settings)
        }
        let cards = (0..<count).map { index in
            var card = Card(id: CardID(index))
            if vetoedCards.contains(index) { card.deniedDirections = Directions(Direction.allCases) }
            return card
        }
        return Deck(cards: .listed(cards), settings: settings)
    }
}
