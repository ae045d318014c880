/// A value for some directions, and none for the others. A plain value without heap storage.
public struct PerDirection<Value: Sendable & Hashable>: Sendable, Hashable {
    private var left: Value?
    private var right: Value?
    private var up: Value?
    private var down: Value?
    private var topLeft: Value?
    private var topRight: Value?
    private var bottomLeft: Value?
    private var bottomRight: Value?

    /// No value for any direction.
    public init() {}

    /// The value for a direction; nil if it has none.
    public subscript(direction: Direction) -> Value? {
        get {
            switch direction {
            case .left: left
            case .right: right
            case .up: up
            case .down: down
            case .topLeft: topLeft
            case .topRight: topRight
            case .bottomLeft: bottomLeft
            case .bottomRight: bottomRight
            }
        }
        set {
            switch direction {
            case .left: left = newValue
            case .right: right = newValue
            case .up: up = newValue
            case .down: down = newValue
            case .topLeft: topLeft = newValue
            case .topRight: topRight = newValue
            case .bottomLeft: bottomLeft = newValue
            case .bottomRight: bottomRight = newValue
            }
        }
    }
}
