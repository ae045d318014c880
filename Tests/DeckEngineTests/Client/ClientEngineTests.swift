import ClientEngine
import RandomTesting
import Testing

@testable import DeckEngine

struct ClientEngineTests {
    private static let settings = DeckSettings(preset: .standard)

    private func session(_ cards: CardList = .listed(["a", "b", "c", "d"].map { Card(id: $0) })) -> DeckSession {
        let deck = Deck(cards: cards, settings: Self.settings)
        return DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400)).session
    }

    private func client(_ session: DeckSession) throws -> ClientEngine {
        try ClientEngine(snapshot: #require(session.clientSnapshot())[...])
    }

    @Test func aSnapshotHasNeitherIdsNorDataNorLabels() throws {
        var card = Card(id: "very-secret-id")
        card.label = "very secret label"
        card.data = "\"very secret data\""
        let snapshot = try #require(session(.listed([card])).clientSnapshot())
        #expect(!String(decoding: snapshot, as: UTF8.self).contains("secret"))
    }

    @Test(arguments: RandomSession.seeds) func aRestoredSessionHasTheSameFrames(seed: UInt64) throws {
        let random = RandomSession(seed: seed, stepCount: 30)
        var session = random.begin()
        for step in random.steps {
            _ = try? session.apply(step.event, at: step.time)
            let copy = try DeckSession(clientSnapshot: #require(session.clientSnapshot())[...])
            for distance in [0.0, 120] {
                var (frame, restored) = (
                    session.frame(at: step.time + Milliseconds(distance)),
                    copy.frame(at: step.time + Milliseconds(distance))
                )
                for position in frame.cards.indices {
                    frame.cards[position].id = ""
                }
                for position in restored.cards.indices {
                    restored.cards[position].id = ""
                }
                frame.pending?.id = ""
                restored.pending?.id = ""
                #expect(frame == restored)
            }
        }
    }

    @Test func everyCutSnapshotIsRefused() throws {
        let snapshot = try #require(session().clientSnapshot())
        for count in snapshot.indices {
            #expect(throws: SnapshotError.damaged) { try ClientEngine(snapshot: snapshot.prefix(count)) }
        }
    }

    @Test func aStoredSnapshotIsRefused() {
        #expect(throws: SnapshotError.unknownFormat(2)) {
            try ClientEngine(snapshot: session().snapshot(withCards: true)[...])
        }
        var later = session().clientSnapshot() ?? []
        later[0] += 1
        #expect(throws: SnapshotError.unknownFormat(0x82)) { try ClientEngine(snapshot: later[...]) }
    }

    @Test func aClientSnapshotIsNoStoredSnapshot() throws {
        let snapshot = try #require(session().clientSnapshot())
        #expect(throws: SnapshotError.unknownFormat(0x81)) { try DeckSession(snapshot: snapshot) }
    }

    @Test func anEventForAnotherCardIsRefused() throws {
        var client = try client(session())
        let event = Event.swipe(.right)
        let second = try #require(EventNumbers.list(event, onlyOn: 1, at: 10))
        #expect(try client.apply(second)[0] == Double(Refusal.allCases.firstIndex(of: .notFrontCard) ?? -1))
        let first = try #require(EventNumbers.list(event, onlyOn: 0, at: 10))
        #expect(try client.apply(first)[0].isNaN)
    }

    @Test func eventsOfTheServerAreRefused() throws {
        var client = try client(session())
        for type in 20...23 {
            #expect(throws: ClientError.needsServer) { try client.apply([Double(type), 0, .nan]) }
        }
    }

    @Test func invalidEventsChangeNothing() throws {
        var client = try client(session())
        let before = try client.frame(at: 0)
        let invalid: [[Double]] = [
            [], [19], [19, 0], [19, 0, .nan, 1], [24, 0, .nan], [-1, 0, .nan], [0.5, 0, .nan], [.nan, 0, .nan],
            [19, .nan, .nan], [19, -1, .nan], [19, .infinity, .nan], [19, 1e13, .nan], [19, 0, 0.5], [19, 0, -1],
            [0, 0, .nan, 1, .nan, .nan, .nan, .nan, .nan, .nan], [0, 0, .nan, 0, 5, .nan, .nan, .nan, .nan, .nan],
            [0, 0, .nan, 1, 2e6, 0, .nan, .nan, .nan, .nan], [6, 0, .nan, 8, 0, .nan, .nan, .nan, .nan],
            [6, 0, .nan, 0, 0, .nan, .nan, 0, 0], [9, 0, .nan, .nan, 0], [9, 0, .nan, 9, 1], [15, 0, .nan, 2, 2],
            [16, 0, .nan, -1], [16, 0, .nan, 1e16], [18, 0, .nan, .nan, .nan, .nan, .nan],
            [18, 0, .nan, 300, 8, .nan, .nan],
        ]
        for event in invalid {
            #expect(throws: ClientError.invalid, "\(event)") { try client.apply(event) }
        }
        for time in [-1, .nan, .infinity, 1e13] {
            #expect(throws: ClientError.invalid) { try client.frame(at: time) }
            #expect(throws: ClientError.invalid) { try client.advance(to: time) }
        }
        let after = try client.frame(at: 0)
        #expect(before.map(\.bitPattern) == after.map(\.bitPattern))
    }

    @Test func timeDoesNotRunBackwards() throws {
        var client = try client(session())
        _ = try client.apply([19, 50, .nan])
        #expect(throws: ClientError.timeRunsBackwards) { try client.apply([19, 49, .nan]) }
        #expect(client.now == 50)
    }

    @Test func departedCardsAreNamed() throws {
        var session = session()
        _ = try session.apply(.swipe(.right), at: 0)
        _ = try session.apply(.remove(0..<1), at: 10)
        let departed = session.departedCards
        #expect(departed.map(\.number) == [0])
        #expect(departed.map(\.id) == ["a"])
    }

    @Test func aDeckThatIsTooLargeHasNoSnapshot() throws {
        #expect(session(.numbered(EngineLimits.cards)).clientSnapshot() != nil)
        let many = (0...EngineLimits.rearrangeableCards).map { Card(id: "c\($0)") }
        #expect(session(.listed(many)).clientSnapshot() == nil)
    }
}
