import DeckJournal
import JournalTesting
import Testing

@Suite struct HousekeepingContractTests {
    @Test(arguments: JournalKind.allCases) func idleSessionsExpire(_ kind: JournalKind) async throws {
        let clock = TestClock(1000)
        try await kind.run(clock.options(ages: JournalAges(sessions: .seconds(100)))) { journal in
            for (id, created) in [("a", 100), ("b", 200), ("c", 300), ("d", 400), ("e", 5000)] as [(String, Int64)] {
                try await journal.created(.sample(id, at: created))
            }
            // An entry and a touch make a session active; one dated before the last does not make it idle again.
            try await journal.appended(.sample("a", 2, at: 9000), to: "a")
            try await journal.appended(.sample("a", 3, at: 50), to: "a")
            try await value { journal.touch(["c", "nobody"], at: time(8000), completion: $0) }
            try await value { journal.touch(["c"], at: time(10), completion: $0) }
            try await journal.appended(.sample("d", 2, at: 300), to: "d")
            clock.set(104_900)
            #expect(try await eventually { try await journal.totals().sessions == 3 })
            for id in ["b", "d"] { #expect(try await journal.found(id) == .ended) }
            for id in ["a", "c", "e"] { #expect(try await journal.stored(id) != nil) }
            #expect(try await journal.stored("a")?.lastActiveAt == time(9000))
            clock.set(108_500)
            #expect(try await eventually { try await journal.totals().sessions == 1 })
            #expect(try await journal.stored("a")?.version == 3)
        }
    }

    @Test(arguments: JournalKind.allCases) func feedRecordsAndLinesBeyondTheirAgeAreRemoved(
        _ kind: JournalKind
    ) async throws {
        let clock = TestClock(1000)
        let ages = JournalAges(feedRecords: .seconds(10), logs: .seconds(20))
        try await kind.run(clock.options(ages: ages)) { journal in
            try await journal.created(.sample("a", logLines: [bytes("0")]))
            try await journal.created(.sample("b", logLines: [bytes("0")]))
            for (version, time) in zip(2..., [2000, 7000, 12_000] as [Int64]) {
                clock.set(time)
                for id in ["a", "b"] {
                    var entry = Entry.sample(id, version, at: 1, feedRecords: [.given(version)])
                    entry.logLines = [bytes("\(version - 1)")]
                    try await journal.appended(entry, to: id)
                }
            }
            clock.set(13_000)
            #expect(try await eventually { try await journal.wholeFeed().rows.count == 4 })
            #expect(try await journal.wholeFeed().rows.map(\.record.number) == [3, 3, 4, 4])
            #expect(try await journal.standing(in: "b").map(\.number) == [3, 4])
            #expect(try await journal.wholeLog(of: "a").lines.count == 4)
            clock.set(27_500)
            #expect(
                try await eventually {
                    let page = try await journal.wholeLog(of: "b")
                    return page == LogPage(firstLine: 3, lines: [bytes("3")])
                }
            )
            #expect(try await journal.wholeLog(of: "a").firstLine == 3)
            #expect(try await eventually { try await journal.wholeFeed().rows.isEmpty })
            // The size of the log counts removed lines, so that the numbers of lines continue.
            #expect(try await journal.stored("a")?.logSize.lineCount == 4)
            var entry = Entry.sample("a", 5, feedRecords: [.given(5)])
            entry.logLines = [bytes("4")]
            try await journal.appended(entry, to: "a")
            #expect(try await journal.wholeLog(of: "a") == LogPage(firstLine: 3, lines: [bytes("3"), bytes("4")]))
            #expect(try await journal.wholeFeed().rows.map(\.record.number) == [5])
        }
    }

    /// Data that are removed after some time.
    enum Aging: CaseIterable {
        case feedRecords, logs, answers

        var ages: JournalAges {
            switch self {
            case .feedRecords: JournalAges(feedRecords: .seconds(10))
            case .logs: JournalAges(logs: .seconds(10))
            case .answers: JournalAges(answers: .seconds(10))
            }
        }
    }

    @Test(arguments: JournalKind.allCases, Aging.allCases)
    func onlyWhatHasAnAgeIsRemoved(_ kind: JournalKind, _ aging: Aging) async throws {
        let clock = TestClock(1000)
        try await kind.run(clock.options(ages: aging.ages)) { journal in
            try await journal.created(.sample("a", logLines: [bytes("0")]))
            var entry = Entry.sample("a", 2, feedRecords: [.given(1)])
            entry.answers = [.sample("k", "")]
            try await journal.appended(entry, to: "a")
            func counts() async throws -> [Aging: Int] {
                [
                    .feedRecords: try await journal.wholeFeed().rows.count,
                    .logs: try await journal.wholeLog(of: "a").lines.count,
                    .answers: try #require(try await journal.stored("a")).answeredKeys.count,
                ]
            }
            #expect(try await counts() == [.feedRecords: 1, .logs: 1, .answers: 1])
            clock.set(1_000_000_000_000)
            #expect(try await eventually { try await counts()[aging] == 0 })
            let left = try await counts().filter { $0.key != aging }
            #expect(left.values.allSatisfy { $0 == 1 }, "\(left)")
        }
    }
}
