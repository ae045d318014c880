import Testing

@testable import MicroHTTP

/// How many event loops there are by default.
struct ProcessorCountTests {
    @Test(
        arguments: [
            ("max 100000\n", nil), ("200000 100000\n", 2), ("150000 100000\n", 2), ("50000 100000\n", 1), ("", nil),
            ("100000\n", nil), ("0 100000\n", nil), ("1 0\n", nil),
        ]
    )
    func aQuotaIsRoundedUp(text: String, count: Int?) {
        #expect(ProcessorCount.quota(in: text) == count)
    }

    @Test func theGroupsOfAProcessAreItsOwnAndThoseAroundIt() {
        let text = "1:cpu:/other\n0::/system.slice/deckd.service\n"
        #expect(ProcessorCount.groups(in: text) == ["/system.slice/deckd.service", "/system.slice", ""])
        #expect(ProcessorCount.groups(in: "0::/\n") == [""])
        #expect(ProcessorCount.groups(in: "1:cpu:/other\n") == [])
    }
}
