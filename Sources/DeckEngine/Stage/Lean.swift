/// The effect of a finger, or of a hint, on the cards at one time.
struct Lean: Sendable {
    /// The size of the front card's slot.
    var cardSize: Size
    var location: Vector
    var transform: DragTransform
    var reading: DragReading
}
