import Testing

@testable import DeckService

@Suite struct TraceParentTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let parent = "b7ad6b7169203331"

    @Test(arguments: [
        "00-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-00", "00-\(trace)-\(parent)-ff", "01-\(trace)-\(parent)-01",
        "cc-\(trace)-\(parent)-01-what-comes-later", "fe-\(trace)-\(parent)-01-",
    ])
    func aFieldThatIsWholeIsRead(field: String) {
        let read = TraceParent(field)
        #expect(read?.traceID == Self.trace)
        #expect(read?.parentID == Self.parent)
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-\(parent)", "00-\(trace)-\(parent)-", "00-\(trace)-\(parent)-1",
        "00-\(trace)-\(parent)-01-", "00-\(trace)-\(parent)-01-more", "00-\(trace)-\(parent)-011",
        "cc-\(trace)-\(parent)-01more", "ff-\(trace)-\(parent)-01", "0-\(trace)-\(parent)-01",
        "00-\(trace.uppercased())-\(parent)-01", "00-\(trace)-\(parent.uppercased())-01", "0X-\(trace)-\(parent)-01",
        "00-00000000000000000000000000000000-\(parent)-01", "00-\(trace)-0000000000000000-01",
        "00_\(trace)_\(parent)_01", "00-\(trace.dropLast())g-\(parent)-01", "00-\(trace.dropLast())é-\(parent)-01",
        " 00-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-0g", "00-\(trace)\(parent)-01-0123",
    ])
    func aFieldThatIsNotIsIgnored(field: String) {
        #expect(TraceParent(field) == nil)
    }
}
