import Testing

@testable import DeckEngine

/// Encoding and decoding of sessions.
struct SnapshotTests {
    @Test(arguments: RandomSession.seeds)
    func aSessionIsTheSameAfterItWasWrittenAndRead(seed: UInt64) throws {
        let plan = RandomSession(seed: seed)
        var session = plan.begin()
        for step in plan.steps {
            _ = try session.apply(step.event, at: step.time)
            let read = try DeckSession(snapshot: session.snapshot(withCards: true))
            let cards = session.cardsSnapshot()
            let readWithoutCards = try DeckSession(snapshot: session.snapshot(withCards: false), cards: cards)
            // A session is too long to print on a failure.
            let (isSame, isSameWithoutCards) = (read == session, readWithoutCards == session)
            #expect(isSame && isSameWithoutCards)
        }
    }

    @Test func everyKindOfEditIsSavedByWhatItChanges() throws {
        let cards = (0..<3000).map { Card(id: "card \($0)") }
        var settings = DeckSettings(preset: .standard)
        settings.loop = false
        let deck = Deck(cards: .listed(cards), settings: settings)
        var (session, _) = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400))
        let base = session.cardsSnapshot()
        var fresh = cards
        fresh[7].label = "fresh"
        let events: [Event] = [
            .command(.sendToBack), .command(.putBack), .insert(.listed([Card(id: "new")]), at: 5),
            .insert(.numbered(3), at: 0), .remove(10..<2000), .shuffle(seed: 99),
            .refresh(8..<14, from: Deck(cards: .listed(fresh), settings: settings)),
        ]
        var edits: [[UInt8]] = []
        for (number, event) in events.enumerated() {
            #expect(try session.apply(event, at: Instant(Double(number) * 5000)).isApplied)
            guard case .edits(let bytes) = session.takeUnsavedCards() else {
                Issue.record("event \(number) is not saved by its edit")
                continue
            }
            #expect(bytes.count < 400)
            edits.append(bytes)
        }
        let bytes = session.snapshot(withCards: false)
        #expect(try DeckSession(snapshot: bytes, cards: base, edits: edits) == session)
        // What is damaged is refused and no trap.
        for (number, edit) in edits.enumerated() {
            for count in 0..<edit.count {
                var damaged = edits
                damaged[number] = Array(edit.prefix(count))
                #expect(throws: SnapshotError.damaged) {
                    try DeckSession(snapshot: bytes, cards: base, edits: damaged)
                }
            }
        }
        #expect(throws: SnapshotError.unknownFormat(9)) {
            try DeckSession(snapshot: bytes, cards: base, edits: [[9]])
        }
        let reloaded = Deck(cards: .listed(fresh), settings: settings)
        #expect(try session.apply(.reload(reloaded), at: 90_000).isApplied)
        #expect(session.takeUnsavedCards() == .all)
        #expect(session.takeUnsavedCards() == .none)
    }

    @Test func everyNotificationSurvives() throws {
        let kinds: [DeckNotification.Kind] = [
            .panBegan(index: 3), .panFinished(index: 3), .dragged(index: 3, percentage: 12.5, .topLeft),
            .thresholdCrossed(index: 1_000_000, .up), .thresholdUncrossed(index: 0, .down), .didReset(index: 1),
            .didSwipe(index: 2, .left), .didShow(index: 4), .didRewind(index: 5), .didRedo(index: 6, .right),
            .didSelect(index: 7, count: 2), .didPress(index: 8), .didFlip(index: 9, .back),
            .needsConfirmation(index: 10, .up), .didRunOut, .needsCards(remaining: 2), .didLoop, .didAppear,
        ]
        let notifications = kinds.enumerated().map { number, kind in
            DeckNotification(
                sequence: number == 2 ? nil : number,
                at: Instant(Double(number) + 0.1),
                kind: kind,
                cardID: kind.index.map { "card \($0)" }
            )
        }
        let bytes = NotificationSnapshot.bytes(of: notifications)
        #expect(try NotificationSnapshot.read(bytes[...]) == notifications)
        for count in 0..<bytes.count {
            #expect(throws: SnapshotError.damaged) { try NotificationSnapshot.read(bytes.prefix(count)) }
        }
        #expect(throws: SnapshotError.damaged) { try NotificationSnapshot.read((bytes + [0])[...]) }
    }

    @Test func everySettingSurvives() throws {
        for preset in Preset.allCases {
            var settings = DeckSettings(preset: preset)
            settings.loop.toggle()
            settings.rules.swipeThresholds[.topLeft] = 0.125
            settings.rules.dragDirections = [.up, .bottomLeft]
            settings.rules.dragAxis = .dominant
            settings.rules.velocityThreshold = nil
            settings.motion.rotationAngle = 0.7
            settings.motion.revertFadeDuration = 1234.5
            settings.motion.resetDuration = 77
            settings.motion.reduced = true
            settings.overlay.range.curve = .easeInOut
            settings.overlay.directions[.down] = OverlayRange()
            var card = Card(id: "a")
            card.data = "{\"a\": 1}"
            card.label = "Ä"
            card.dragDirections = []
            card.draggable = false
            card.undoable = false
            let (session, _) = DeckSession.begin(
                deck: Deck(cards: .listed([card]), settings: settings),
                viewport: Size(width: 375, height: 600)
            )
            #expect(try DeckSession(snapshot: session.snapshot(withCards: true)) == session)
        }
    }

    @Test func aSessionWithASmallHistoryTakesFewBytes() throws {
        var (session, _) = DeckSession.begin(
            deck: Deck(cards: .numbered(1000)),
            viewport: Size(width: 375, height: 600)
        )
        for index in 0..<10 { _ = try session.apply(.swipe(.left), at: Instant(Double(index) * 2000)) }
        _ = session.advance(to: 100_000)
        #expect(session.snapshot(withCards: false).count < 2000)
    }

    @Test func everyDamagedByteIsNoticed() throws {
        var (session, _) = DeckSession.begin(deck: Deck(cards: .numbered(5)), viewport: Size(width: 375, height: 600))
        _ = try session.apply(.swipe(.right), at: 100)
        let bytes = session.snapshot(withCards: true)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x40
            #expect(throws: SnapshotError.self) { try DeckSession(snapshot: damaged) }
            #expect(throws: SnapshotError.self) { try DeckSession(snapshot: Array(bytes[..<index])) }
        }
        #expect(throws: SnapshotError.cardsMissing) { try DeckSession(snapshot: session.snapshot(withCards: false)) }
        #expect(throws: SnapshotError.unknownFormat(9)) { try DeckSession(snapshot: [9] + bytes.dropFirst()) }
    }

    @Test func theNumbersAreReadAsTheyWereWritten() throws {
        for number in [0, 1, -1, 63, 64, -64, -65, 1 << 40, 1 << 53, -(1 << 53)] {
            var writer = SnapshotWriter()
            writer.write(number)
            var reader = SnapshotReader(writer.bytes[...], format: .latest)
            #expect(try reader.read(Int.self) == number)
            #expect(reader.isAtEnd)
        }
    }
}
