import DeckEngine
import Foundation
import Testing

/// Snapshots from a former release.
///
/// `Snapshots/format-1.json` has the engine's bytes of the sessions in `Tests/DeckdTests/Releases/format-1.sqlite`, and
/// the frames that release 0.1.0 returned for them, with numbers of six decimals.
struct SnapshotFormatTests {
    struct Sample: Decodable {
        var name: String
        var snapshot: Data
        var cards: Data
        /// The session's time.
        var at: Double
        var frame: RecordedFrame
    }

    struct RecordedFrame: Decodable {
        var version: Int
        var currentIndex: Int
        var cardCount: Int
        var visibleCount: Int
        var exhausted: Bool
        var dragging: Bool
        var settlesAt: Double?
        var canRevert: Int
        var canRedo: Int
        var lastNotification: Int
        var cards: [RecordedCard]
    }

    struct RecordedCard: Decodable {
        var index: Int
        var id: String
        var role: String
        var z: Int
        var frame: [String: Double]
        /// Nil in a layout whose cards tip over, which has `matrix3d`.
        var matrix: [Double]?
        var matrix3d: [Double]?
        var opacity: Double
        var overlay: RecordedOverlay?
    }

    struct RecordedOverlay: Decodable {
        var direction: String
        var progress: Double
        var alpha: Double
    }

    private static let tolerance = 1e-6

    private func samples() throws -> [Sample] {
        let samples = try Vectors.read("format-1", in: "Snapshots", as: [Sample].self)
        #expect(samples.count == 48)
        return samples
    }

    private func session(of sample: Sample) throws -> DeckSession {
        try DeckSession(snapshot: Array(sample.snapshot), cards: Array(sample.cards))
    }

    @Test func aSnapshotOfFormat1ShowsTheFrameItWasTakenOf() throws {
        for sample in try samples() {
            let session = try session(of: sample)
            #expect(session.now == Instant(sample.at), "\(sample.name)")
            compare(session.frame(at: session.now), with: sample.frame, sample.name)
        }
    }

    @Test func aFormatThatIsNotKnownIsRefused() throws {
        for sample in try samples() {
            let later = [200] + Array(sample.snapshot.dropFirst())
            let cards = Array(sample.cards)
            #expect(throws: SnapshotError.unknownFormat(200)) { try DeckSession(snapshot: later, cards: cards) }
        }
    }

    private func compare(_ frame: Frame, with recorded: RecordedFrame, _ name: String) {
        #expect(frame.version == recorded.version, "\(name)")
        #expect(frame.currentIndex == recorded.currentIndex, "\(name)")
        #expect(frame.cardCount == recorded.cardCount, "\(name)")
        #expect(frame.visibleCount == recorded.visibleCount, "\(name)")
        #expect(frame.exhausted == recorded.exhausted, "\(name)")
        #expect(frame.dragging == recorded.dragging, "\(name)")
        #expect(frame.canRevert == recorded.canRevert, "\(name)")
        #expect(frame.canRedo == recorded.canRedo, "\(name)")
        #expect(frame.lastNotification == recorded.lastNotification, "\(name)")
        #expect((frame.settlesAt == nil) == (recorded.settlesAt == nil), "\(name)")
        if let settlesAt = frame.settlesAt, let recorded = recorded.settlesAt {
            #expect(abs(settlesAt.milliseconds - recorded) < Self.tolerance, "\(name)")
        }
        #expect(frame.cards.map(\.index) == recorded.cards.map(\.index), "\(name)")
        #expect(frame.cards.map(\.id.text) == recorded.cards.map(\.id), "\(name)")
        #expect(frame.cards.map(\.role.name.description) == recorded.cards.map(\.role), "\(name)")
        #expect(frame.cards.map(\.z) == recorded.cards.map(\.z), "\(name)")
        for (card, recorded) in zip(frame.cards, recorded.cards) {
            compare(card, with: recorded, "\(name), card \(card.index)")
        }
    }

    private func compare(_ card: FrameCard, with recorded: RecordedCard, _ name: String) {
        let rect = ["x", "y", "width", "height"].map { recorded.frame[$0] ?? .nan }
        #expect(card.frame.difference(from: Rect(rect)) < Self.tolerance, "\(name)")
        #expect(abs(card.opacity - recorded.opacity) < Self.tolerance, "\(name)")
        #expect((card.flip == nil) == (recorded.matrix3d == nil), "\(name)")
        let matrix = card.matrix
        let numbers = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty]
        if let flip = card.flip {
            // The second column of a turn about the x axis. Nothing else moves these cards.
            #expect(matrix == .identity, "\(name)")
            let (sine, cosine) = flip.sineAndCosine
            let column = Array(recorded.matrix3d?.dropFirst(4).prefix(3) ?? [])
            #expect(difference([0, cosine, sine], column) < Self.tolerance, "\(name)")
        } else {
            #expect(difference(numbers, recorded.matrix ?? []) < Self.tolerance, "\(name)")
        }
        #expect((card.overlay?.direction).map { "\($0)" } == recorded.overlay?.direction, "\(name)")
        if let overlay = card.overlay, let recorded = recorded.overlay {
            let numbers = [overlay.progress, overlay.alpha]
            #expect(difference(numbers, [recorded.progress, recorded.alpha]) < Self.tolerance, "\(name)")
        }
    }

    /// The largest difference between two lists of numbers; infinite if their lengths differ.
    private func difference(_ left: [Double], _ right: [Double]) -> Double {
        left.count == right.count ? zip(left, right).map { abs($0 - $1) }.max() ?? 0 : .infinity
    }
}
