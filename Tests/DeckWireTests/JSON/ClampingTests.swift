import DeckWire
import Testing

@Suite struct ClampingTests {
    @Test(arguments: [
        (0.0, 0), (-0.0, 0), (0.999, 0), (-0.999, 0), (41.5, 41), (-41.5, -41), (.nan, 0), (-.nan, 0),
        (.infinity, .max), (-.infinity, .min), (1e300, .max), (-1e300, .min), (0x1p63, .max), (-0x1p63, .min),
        (0x1p62, 1 << 62), (.leastNonzeroMagnitude, 0),
    ])
    func everyNumberHasAWholeOne(number: Double, whole: Int) {
        #expect(Int(clamping: number) == whole)
    }
}
