import DeckEngine
import DeckWire
import RandomTesting
import Testing

/// A moment that was saved is written later as its session would have been written then, byte for byte.
@Suite struct SavedMomentTests {
    private func begin(_ preset: Preset, using random: inout SeededNumbers) -> DeckSession {
        let cards = (0..<12).map { number in
            var card = Card(id: "card-\(number)")
            if number % 3 > 0 { card.label = "Card \"\(number)\"" }
            if number % 4 == 0 { card.undoable = false }
            return card
        }
        var settings = DeckSettings(preset: preset)
        settings.loop = random.chance(0.5)
        settings.rules.whileAnimating = random.pick(BusyPolicy.allCases)
        settings.rules.confirm = random.chance(0.3) ? [.right] : []
        settings.motion.appear = true
        settings.motion.backgroundSpring = random.pick([nil, SpringSettings(bounciness: 9, speed: 16)])
        return DeckSession.begin(
            deck: Deck(cards: .listed(cards), settings: settings),
            viewport: Size(width: 375, height: 600),
            startIndex: random.pick([0, 5, 11]),
            appears: random.chance(0.5)
        ).session
    }

    private func event(using random: inout SeededNumbers) -> Event {
        func place() -> Vector {
            Vector(x: .random(in: -400...400, using: &random), y: .random(in: -200...200, using: &random))
        }
        switch Int.random(in: 0..<14, using: &random) {
        case 0...2: return .drag(DragEvent(.began, translation: place(), location: place()))
        case 3...4: return .drag(DragEvent(.changed, translation: place()))
        case 5: return .drag(DragEvent(.ended, velocity: place()))
        case 6...7: return .swipe(random.pick([.left, .right]))
        case 8: return .revert(random.pick([.fade, .origin, .from(.up)]))
        case 9: return .command(random.pick([.sendToBack, .putBack, .move(to: 3), .redo(count: 1)]))
        case 10: return .nudge(random.pick([.left, .right]))
        case 11: return .flip
        case 12: return .scroll(ScrollEvent(random.pick([.changed, .ended]), offset: place().x, velocity: place().y))
        default: return .remove(2..<3)
        }
    }

    private func text(_ write: (FrameWriter, inout JSONWriter) -> Void) -> String {
        var writer = FrameWriter(session: "s")
        (writer.extras.motion, writer.extras.labels, writer.extras.data) = (true, true, true)
        return written { write(writer, &$0) }
    }

    @Test(arguments: Preset.allCases, UInt64(1)...12)
    func aSavedMomentIsWrittenAsItsSession(preset: Preset, seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        var session = begin(preset, using: &random)
        for step in 0..<60 {
            let time = session.now + Milliseconds(random.pick([0, 16, 16.7, 90, 333.3, 1500]))
            _ = try session.apply(event(using: &random), at: time)
            let moment = try Moment(snapshot: session.moment.snapshot()[...])
            let expected = text { $0.write(session, at: session.now, to: &$1) }
            #expect(text { $0.write(moment, to: &$1) } == expected, "step \(step)")
        }
    }

    @Test func damagedBytesAreRefused() throws {
        var random = SeededNumbers(seed: 1)
        var session = begin(.standard, using: &random)
        for time in [0.0, 100, 150] { _ = try session.apply(.swipe(.right), at: Instant(time)) }
        let bytes = session.moment.snapshot()
        #expect(try Moment(snapshot: bytes[...]).frame.version == session.version)
        for count in bytes.indices {
            #expect(throws: SnapshotError.self, "\(count) bytes") { try Moment(snapshot: bytes.prefix(count)) }
        }
        #expect(throws: SnapshotError.damaged) { try Moment(snapshot: (bytes + [0])[...]) }
        #expect(throws: SnapshotError.unknownFormat(9)) { try Moment(snapshot: [9] + bytes.dropFirst()) }
        // Any other byte is refused or read as another value; none of them traps.
        for position in bytes.indices {
            for byte in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[position] = byte
                guard let moment = try? Moment(snapshot: damaged[...]) else { continue }
                _ = text { $0.write(moment, to: &$1) }
            }
        }
    }
}
