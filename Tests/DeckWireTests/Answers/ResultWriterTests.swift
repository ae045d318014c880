import DeckWire
import JSONTesting
import Testing

@testable import DeckEngine

@Suite struct ResultWriterTests {
    private func session(_ settings: DeckSettings = DeckSettings()) -> DeckSession {
        DeckSession.begin(deck: Deck(cards: .numbered(3), settings: settings), viewport: Size(width: 300, height: 400))
            .session
    }

    private func result(_ event: Event, _ type: StaticString, on session: inout DeckSession) throws -> String {
        let outcome = try session.apply(event, at: session.now)
        return written { $0.result(outcome, of: type) }
    }

    @Test func whatAnEventLedToIsWrittenAsTheContractHasIt() throws {
        var session = session()
        let swiped = #"{"type":"drag","applied":true,"outcome":"swiped","direction":"right","index":0,"version":1}"#
        let far = DragEvent(.ended, translation: Vector(x: 200, y: 0))
        #expect(try result(.drag(far), "drag", on: &session) == swiped)
        let near = DragEvent(.ended, translation: Vector(x: 1, y: 0))
        #expect(
            try result(.drag(near), "drag", on: &session)
                == #"{"type":"drag","applied":true,"outcome":"reset","reason":"below-threshold","direction":"right","index":1,"version":2}"#
        )
        #expect(
            try result(.swipe(.up, force: false), "swipe", on: &session)
                == #"{"type":"swipe","applied":false,"reason":"direction-not-allowed","version":2}"#
        )
        #expect(try result(.tick, "tick", on: &session) == #"{"type":"tick","applied":true,"version":3}"#)
    }

    @Test func aCommandThatWaitsIsWrittenAsQueued() throws {
        var settings = DeckSettings()
        settings.rules.whileAnimating = .queue
        var session = session(settings)
        _ = try result(.swipe(.left, force: false), "swipe", on: &session)
        let queued = #"{"type":"swipe","applied":true,"outcome":"queued","direction":"right","index":1,"version":2}"#
        #expect(try result(.swipe(.right, force: false), "swipe", on: &session) == queued)
    }

    @Test func aSwipeToBeConfirmedIsPendingAndAReleaseThatUndoesIsReverted() throws {
        var settings = DeckSettings()
        settings.rules.confirm = [.right]
        settings.rules.undoDirections = [.down]
        var session = session(settings)
        let pending = #"{"type":"swipe","applied":true,"outcome":"pending","direction":"right","index":0,"version":1}"#
        #expect(try result(.swipe(.right), "swipe", on: &session) == pending)
        let denied =
            #"{"type":"deny","applied":true,"outcome":"reset","reason":"not-confirmed","direction":"right","index":0,"version":2}"#
        #expect(try result(.deny, "deny", on: &session) == denied)
        #expect(
            try result(.confirm, "confirm", on: &session)
                == #"{"type":"confirm","applied":false,"reason":"nothing-pending","version":2}"#
        )
        _ = try result(.swipe(.left), "swipe", on: &session)
        let drag = DragEvent(.ended, translation: Vector(x: 0, y: 300))
        let down = try JSON(parsing: result(.drag(drag), "drag", on: &session))
        #expect(down["outcome"] == .string("reverted"))
        // The direction is that of the verdict which is taken back.
        #expect(down["direction"] == .string("left"))
    }

    @Test func everyReasonIsANameOfTheContract() {
        let contract: Set<String> = [
            "no-card", "not-draggable", "direction-not-allowed", "direction-denied", "animating", "dragging",
            "nothing-to-revert", "nothing-to-redo", "not-undoable", "index-out-of-range", "layout-does-not-scroll",
            "not-dragging", "below-threshold", "pulled-back", "cancelled", "nothing-to-put-back", "too-many-cards",
            "duplicate-id", "layout-scrolls", "not-front-card", "pending", "nothing-pending", "not-confirmed",
        ]
        for reason in Refusal.allCases { #expect(contract.contains(reason.rawValue)) }
        for reason in ResetReason.allCases { #expect(contract.contains(reason.rawValue)) }
    }

    @Test func slotsAreTheShownPlacesOnly() throws {
        let text = written { $0.slots(of: session()) }
        let document = try JSON(parsing: text)
        #expect(document["viewport"] == .object(["width": .number(300), "height": .number(400)]))
        let slots = document["slots"].elements
        #expect(slots.map { $0["place"] } == [.number(0), .number(1), .number(2)])
        // Koloda: the front card leaves two margins of 4; each card behind is 0.95 of the one before it.
        func rectangle(_ place: Int) -> JSON {
            var factor = 1.0
            for _ in 0..<place { factor *= 0.95 }
            let (width, height) = (300 * factor, 392 * factor)
            let y = place == 0 ? 0 : 392 - height + 4 * Double(place)
            return .object([
                "x": .number((300 - width) / 2), "y": .number(y), "width": .number(width), "height": .number(height),
            ])
        }
        #expect(slots[0]["frame"] == rectangle(0))
        for place in 1...2 {
            let got = slots[place]["frame"]
            for (name, value) in rectangle(place).members {
                #expect(abs(got[name].number - value.number) <= 1e-6, "\(name)")
            }
        }
    }
}
