import DeckEngine
import Testing

/// The slots of Koloda's stack, against `koloda-slots.json`.
struct SlotVectorTests {
    struct File: Decodable {
        var cases: [Case]
    }

    /// A number, or the string for a value that is not a number: a deck without size has scales of 0/0.
    struct RecordedNumber: Decodable {
        var value: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = (try? container.decode(Double.self)) ?? .nan
        }
    }

    struct Case: Decodable {
        var size: [Double]
        var visible: Int
        var topMargin: Double
        var scalePercent: Double
        var direction: String
        var frames: [[Double]]
        var scales: [[RecordedNumber]]
    }

    @Test func everyPlaceRestsWhereKolodaPutsIt() throws {
        let cases = try Vectors.read("koloda-slots", as: File.self).cases
        #expect(cases.count == 257)
        for example in cases {
            var stack = StackLayout()
            stack.visibleCount = example.visible
            stack.topMargin = example.topMargin
            stack.scale = example.scalePercent
            stack.from = example.direction == "top" ? .top : .bottom
            let layout = Layout.stack(stack)
            let slots = example.frames.indices.map { layout.slot(at: Double($0), in: Size(example.size)).rect }
            for (slot, expected) in zip(slots, example.frames) {
                #expect(slot.difference(from: Rect(expected)) < 1e-4, "\(example)")
            }
            for (slot, expected) in zip(slots, example.scales) where slots[0].width > 0 && slots[0].height > 0 {
                #expect(abs(slot.width / slots[0].width - expected[0].value) < 1e-6, "\(example)")
                #expect(abs(slot.height / slots[0].height - expected[1].value) < 1e-6, "\(example)")
            }
        }
    }
}
