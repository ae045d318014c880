/// The effect of a finger, or of a hint, on the cards at one time.
struct Lean: Sendable {
    var location: Vector
    var transform: DragTransform
    var reading: DragReading
}
