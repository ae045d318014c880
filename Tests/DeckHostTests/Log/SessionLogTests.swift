import DeckEngine
import DeckWire
import JournalTesting
import Testing

@testable import DeckHost

struct SessionLogTests {
    /// A deck that was read before, and is the same object, need not be compared byte by byte.
    @Test func aDeckThatIsReadAgainIsNotCompared() throws {
        func document() -> DeckDocument {
            let data = String(repeating: "x", count: 10_000)
            let cards = (0..<100).map { number in
                var card = Card(id: CardID(number))
                card.data = data + "\(number)"
                return card
            }
            return DeckDocument(preset: .standard, deck: Deck(cards: .listed(cards), settings: DeckSettings()))
        }
        let (deck, equal) = (document(), document())
        let text = Array(#"{"type":"refresh","from":0,"to":1}"#.utf8)
        let refresh = try JSONParser.read(text) { value throws(WireError) in
            try EventRequest(value, keepingText: true)
        }
        /// The time for an event that reads one of two decks, in turn.
        func time(_ decks: [DeckDocument]) -> Duration {
            var log = SessionLog()
            var count = 0
            let time = leastProcessorTime {
                log.append(refresh, at: .zero, deck: decks[count % 2])
                count += 1
            }
            // The line refers to the deck before.
            #expect(log.waitingLines.last?.count ?? 0 < 100)
            return time
        }
        #expect(time([deck, equal]) / time([deck, deck]) > 20)
    }

    /// The log of a copy begins with one if the session's log has lost its first lines. A log without its first line could not be
    /// read.
    @Test func aLogBeginsWithACheckpointOfAnySize() {
        let data = String(repeating: "x", count: 16_000)
        let cards = (0..<800).map { number in
            var card = Card(id: CardID(number))
            card.data = data
            return card
        }
        let deck = Deck(cards: .listed(cards), settings: DeckSettings())
        let session = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400)).0
        var state = HostedSession.State(session: session, preset: .standard)
        state.log = SessionLog()
        state.recordCheckpoint()
        let lines = state.log?.waitingLines ?? []
        // The cards have 13 MB, and 17 MB in base64. A log has room for 16 MiB.
        #expect(lines.count == 1 && lines.first?.count ?? 0 > 16 << 20)
        #expect(lines.first?.starts(with: #"{"at":0,"checkpoint":{"#.utf8) == true)
        #expect(state.log?.isFull == true)
    }
}
