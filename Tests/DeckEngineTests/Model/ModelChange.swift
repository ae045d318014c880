import DeckEngine

/// A change of the settings.
enum ModelChange: Equatable {
    /// A duration of the motion.
    enum Duration: String, CaseIterable {
        case dragSpeed, backgroundDuration, appearDuration, revertDuration, revertFadeDuration, resetDuration

        var path: WritableKeyPath<MotionSettings, Milliseconds> {
            switch self {
            case .dragSpeed: \.dragSpeed
            case .backgroundDuration: \.backgroundDuration
            case .appearDuration: \.appearDuration
            case .revertDuration: \.revertDuration
            case .revertFadeDuration: \.revertFadeDuration
            case .resetDuration: \.resetDuration
            }
        }
    }

    case loop(Bool)
    case policy(BusyPolicy)
    case threshold(Double)
    case thresholdOf(Direction, Double?)
    case allowed([Direction])
    case denied([Direction])
    case axis(DragAxis)
    case reach([Direction]?)
    case draggable(Bool)
    case limit(Double?)
    case pullBack(Bool)
    case refillAt(Int)
    case visible(Int)
    case edges(Double, scale: Double)
    case reduced(Bool)
    case preset(Preset)
    case duration(Duration, Double)
    case resetSpring(Double, Double)
    case snapSpring(Double, Double)
    case backgroundSpring(Double, Double)
    case noBackgroundSpring
    case tracking(Tracking)
    case follow(Bool)
    case turn(Double, scale: Double)
    case grows(Bool)
    case opacity(Double, behind: Double, fadeNext: Bool)
    case overlay(Double, Double, Curve)
    case overlayOf(Direction, Double, Double, Curve)

    func apply(to settings: inout DeckSettings) {
        switch self {
        case .loop(let loop): settings.loop = loop
        case .preset(let preset): settings.layout = DeckSettings(preset: preset).layout
        case .visible(let count): changeStack(&settings) { $0.visibleCount = count }
        case .edges(let margin, let scale):
            changeStack(&settings) {
                $0.topMargin = margin
                $0.scale = scale
            }
        case .opacity(let opaque, let behind, let fadeNext):
            settings.appearance.opaque = opaque
            settings.appearance.semiTransparent = behind
            settings.appearance.fadeNext = fadeNext
        case .overlay(let start, let end, let curve): settings.overlay.range = range(start, end, curve)
        case .overlayOf(let direction, let start, let end, let curve):
            settings.overlay.directions[direction] = range(start, end, curve)
        default:
            apply(to: &settings.rules)
            apply(to: &settings.motion)
        }
    }

    private func range(_ start: Double, _ end: Double, _ curve: Curve) -> OverlayRange {
        var range = OverlayRange()
        range.start = start
        range.end = end
        range.curve = curve
        return range
    }

    private func changeStack(_ settings: inout DeckSettings, _ change: (inout StackLayout) -> Void) {
        guard case .stack(var stack) = settings.layout else { return }
        change(&stack)
        settings.layout = .stack(stack)
    }

    private func apply(to rules: inout Rules) {
        switch self {
        case .policy(let policy): rules.whileAnimating = policy
        case .threshold(let threshold): rules.swipeThreshold = threshold
        case .thresholdOf(let direction, let threshold): rules.swipeThresholds[direction] = threshold
        case .allowed(let directions): rules.allowedDirections = Directions(directions)
        case .denied(let directions): rules.deniedDirections = Directions(directions)
        case .axis(let axis): rules.dragAxis = axis
        case .reach(let directions): rules.dragDirections = directions.map { Directions($0) }
        case .draggable(let isDraggable): rules.draggable = isDraggable
        case .limit(let limit): rules.velocityThreshold = limit
        case .pullBack(let cancels): rules.pullBackCancels = cancels
        case .refillAt(let count): rules.refillAt = count
        default: break
        }
    }

    private func apply(to motion: inout MotionSettings) {
        switch self {
        case .reduced(let reduced): motion.reduced = reduced
        case .duration(let duration, let milliseconds): motion[keyPath: duration.path] = Milliseconds(milliseconds)
        case .resetSpring(let bounciness, let speed):
            motion.resetSpring = SpringSettings(bounciness: bounciness, speed: speed)
        case .snapSpring(let bounciness, let speed):
            motion.snapSpring = SpringSettings(bounciness: bounciness, speed: speed)
        case .backgroundSpring(let bounciness, let speed):
            motion.backgroundSpring = SpringSettings(bounciness: bounciness, speed: speed)
        case .noBackgroundSpring: motion.backgroundSpring = nil
        case .tracking(let tracking): motion.tracking = tracking
        case .follow(let follows): motion.moveBackground = follows
        case .turn(let angle, let scale):
            motion.rotationAngle = Radians(angle)
            motion.scaleMin = scale
        case .grows(let grows): motion.appear = grows
        default: break
        }
    }
}
