import DeckWire
import Testing

@testable import DeckEngine

@Suite struct NotificationWriterTests {
    private let deck = Deck(cards: .listed([Card(id: "a"), Card(id: "b")]))

    private func text(_ kind: DeckNotification.Kind, sequence: Int? = 7) -> String {
        let card = kind.index.flatMap { $0 < deck.cards.count ? deck.cards[$0].id : nil }
        let notification = DeckNotification(sequence: sequence, at: 12.25, kind: kind, cardID: card)
        return written { writer in
            writer.object { $0.member("n", [notification]) }
        }
    }

    @Test(
        arguments: [
            (.panBegan(index: 1), #""type":"panBegan","index":1,"id":"b""#),
            (.panFinished(index: 0), #""type":"panFinished","index":0,"id":"a""#),
            (.thresholdCrossed(index: 0, .up), #""type":"thresholdCrossed","index":0,"id":"a","direction":"up""#),
            (
                .thresholdUncrossed(index: 0, .down),
                #""type":"thresholdUncrossed","index":0,"id":"a","direction":"down""#
            ),
            (.didReset(index: 0), #""type":"didReset","index":0,"id":"a""#),
            (.didSwipe(index: 1, .topLeft), #""type":"didSwipe","index":1,"id":"b","direction":"topLeft""#),
            (.didShow(index: 0), #""type":"didShow","index":0,"id":"a""#),
            (.didRewind(index: 0), #""type":"didRewind","index":0,"id":"a""#),
            (.didRedo(index: 1, .right), #""type":"didRedo","index":1,"id":"b","direction":"right""#),
            (.didSelect(index: 0), #""type":"didSelect","index":0,"id":"a","count":1"#),
            (.didSelect(index: 0, count: 3), #""type":"didSelect","index":0,"id":"a","count":3"#),
            (.didPress(index: 1), #""type":"didPress","index":1,"id":"b""#),
            (.didFlip(index: 0, .back), #""type":"didFlip","index":0,"id":"a","face":"back""#),
            (.needsConfirmation(index: 0, .up), #""type":"needsConfirmation","index":0,"id":"a","direction":"up""#),
            (.didRunOut, #""type":"didRunOut""#),
            (.needsCards(remaining: 3), #""type":"needsCards","remaining":3"#),
            (.didLoop, #""type":"didLoop""#),
            (.didAppear, #""type":"didAppear""#),
        ] as [(DeckNotification.Kind, String)]
    )
    func aNotificationIsWrittenAsTheContractHasIt(kind: DeckNotification.Kind, members: String) {
        #expect(text(kind) == #"{"n":[{"seq":7,"at":12.25,\#(members)}]}"#)
    }

    @Test func aDraggedNotificationHasAPercentageAndNoNumber() {
        let got = text(.dragged(index: 0, percentage: 100.0 / 3, .right), sequence: nil)
        let members = #""type":"dragged","index":0,"id":"a","direction":"right","percentage":33.333333"#
        #expect(got == #"{"n":[{"at":12.25,\#(members)}]}"#)
    }

    @Test func aCardThatTheDeckHasNoMoreIsNamedByItsIndexOnly() {
        #expect(
            text(.didSwipe(index: 2, .left))
                == #"{"n":[{"seq":7,"at":12.25,"type":"didSwipe","index":2,"direction":"left"}]}"#
        )
    }
}
