import Testing

@testable import DeckEngine

/// Leaving cards that are saved separately from the snapshots.
struct SavedLeavingCardsTests {
    /// A journal's view: the parts so far, and the last snapshot with its references.
    private struct Saved {
        var parts: [[UInt8]] = []
        var partCount = 0
        var leavingCards = LeavingCardParts()
        /// The parts as another process has read them, which can continue with them.
        var readParts = LeavingCardParts()

        /// Saves a session, and reads it as another process would.
        mutating func save(_ session: DeckSession) throws -> DeckSession {
            let saved = leavingCards.save(session)
            parts = (parts + saved.newParts).suffix(saved.neededPartCount)
            partCount += saved.newParts.count
            #expect(parts.count <= SavedLeavingCards.maximumPartCount)
            let bytes = session.snapshot(withCards: true, withLeavingCards: false)
            var read = try DeckSession(snapshot: bytes)
            readParts = try read.restoreLeavingCards(references: saved.references, parts: parts)
            return read
        }
    }

    @Test(arguments: RandomSession.seeds)
    func aSessionIsTheSameAfterItWasSavedAndRestored(seed: UInt64) throws {
        let plan = RandomSession(seed: seed)
        var session = plan.begin()
        var saved = Saved()
        for (number, step) in plan.steps.enumerated() {
            _ = try session.apply(step.event, at: step.time)
            let read = try saved.save(session)
            let isSame = read == session && read.frame(at: read.now) == session.frame(at: session.now)
            #expect(isSame)
            // The next process continues with what it has read.
            if number.isMultiple(of: 3) { (session, saved.leavingCards) = (read, saved.readParts) }
        }
    }

    @Test func aCardIsSavedOnce() throws {
        let deck = Deck(cards: .numbered(1000), settings: DeckSettings(preset: .standard))
        var (session, _) = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400))
        var saved = Saved()
        for number in 0..<300 {
            _ = try session.apply(.swipe(.left), at: Instant(Double(number)))
            let isSame = try saved.save(session) == session
            #expect(isSame)
            #expect(session.snapshot(withCards: false, withLeavingCards: false).count < 2000)
        }
        #expect(session.frame(at: session.now).cards.count { $0.role == .leaving } > 20)
        #expect(saved.partCount == 300)
    }

    /// A card that leaves for a minute, behind many that were taken back.
    @Test func aCardThatIsFarBackIsSavedAgain() throws {
        var settings = DeckSettings(preset: .standard)
        settings.loop = false
        let deck = Deck(cards: .numbered(1000), settings: settings)
        var (session, _) = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400))
        var saved = Saved()
        var options = SwipeOptions()
        options.duration = 600_000
        _ = try session.apply(.command(.swipe(.left, force: true, options)), at: 0)
        for number in 1..<400 {
            let time = Double(number * 100)
            _ = try session.apply(.command(.swipe(.right, force: true, options)), at: Instant(time))
            _ = try saved.save(session)
            _ = try session.apply(.command(.revert(.fade, count: 1)), at: Instant(time + 50))
            let isSame = try saved.save(session) == session
            #expect(isSame)
        }
    }

    @Test func aCopyIsSavedFromTheBeginning() throws {
        let deck = Deck(cards: .numbered(10), settings: DeckSettings(preset: .standard))
        var (session, _) = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400))
        _ = try session.apply(.swipe(.left), at: 0)
        var saved = Saved()
        _ = try saved.save(session)
        var savedCopy = Saved()
        let isSame = try savedCopy.save(session) == session
        #expect(isSame)
        #expect(savedCopy.parts.count == 1)
    }

    @Test func whatIsDamagedIsRefused() throws {
        let deck = Deck(cards: .numbered(10), settings: DeckSettings(preset: .standard))
        var (session, _) = DeckSession.begin(deck: deck, viewport: Size(width: 300, height: 400))
        for number in 0..<3 { _ = try session.apply(.swipe(.left), at: Instant(Double(number))) }
        var leavingCards = LeavingCardParts()
        let saved = leavingCards.save(session)
        var copy = session
        for count in 0..<saved.references.count {
            let references = Array(saved.references.prefix(count))
            #expect(throws: SnapshotError.damaged) {
                _ = try copy.restoreLeavingCards(references: references, parts: saved.newParts)
            }
        }
        for count in 0..<saved.newParts[1].count {
            var parts = saved.newParts
            parts[1] = Array(parts[1].prefix(count))
            #expect(throws: SnapshotError.damaged) {
                _ = try copy.restoreLeavingCards(references: saved.references, parts: parts)
            }
        }
        #expect(throws: SnapshotError.damaged) {
            _ = try copy.restoreLeavingCards(references: saved.references, parts: saved.newParts.dropLast())
        }
    }
}
