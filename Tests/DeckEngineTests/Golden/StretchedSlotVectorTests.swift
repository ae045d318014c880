import DeckEngine
import Testing

/// The slots of Koloda's second sample, against `koloda-stretched-slots.json`.
struct StretchedSlotVectorTests {
    struct File: Decodable {
        var cases: [Case]
    }

    struct Case: Decodable {
        var size: [Double]
        var frames: [[Double]]
        var scales: [[Double]]
    }

    @Test func everyPlaceRestsWhereTheSamplePutsIt() throws {
        let cases = try Vectors.read("koloda-stretched-slots", as: File.self).cases
        #expect(cases.count == 9)
        let layout = Layout.stretched(StretchedLayout())
        for example in cases {
            let slots = example.frames.indices.map { layout.slot(at: Double($0), in: Size(example.size)).rect }
            for (place, expected) in example.frames.enumerated() {
                #expect(slots[place].difference(from: Rect(expected)) < 1e-4, "\(example)")
                #expect(abs(slots[place].width / slots[0].width - example.scales[place][0]) < 1e-6, "\(example)")
                #expect(abs(slots[place].height / slots[0].height - example.scales[place][1]) < 1e-6, "\(example)")
            }
        }
    }
}
