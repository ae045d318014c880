import Foundation
import Testing

@testable import DeckEngine

/// Stored sessions in the second format, with their settings as text.
///
/// A setting that was not written has the default of the format. So the defaults are part of the format too, and are
/// fixed here as text: `Snapshots/format-2.json` has the settings that differ from them.
struct SnapshotSettingTests {
    struct Sample: Codable {
        var name: String
        var snapshot: Data
        var cards: Data
        var now: Double
        var version: Int
        var currentIndex: Int
        var ids: [String]
        var canRevert: Int
        /// The settings that differ from the defaults, by their paths.
        var settings: [String: String]
    }

    private func samples() throws -> [Sample] {
        let samples = try Vectors.read("format-2", in: "Snapshots", as: [Sample].self)
        #expect(samples.count == 10)
        return samples
    }

    private func session(of sample: Sample) throws -> DeckSession {
        #expect(sample.snapshot.first == 2 && sample.cards.first == 2)
        return try DeckSession(snapshot: Array(sample.snapshot), cards: Array(sample.cards))
    }

    @Test func aSnapshotOfFormat2IsTheSessionThatWasWritten() throws {
        for sample in try samples() {
            let session = try session(of: sample)
            #expect(session.now.milliseconds == sample.now, "\(sample.name)")
            #expect(session.version == sample.version, "\(sample.name)")
            #expect(session.currentIndex == sample.currentIndex, "\(sample.name)")
            #expect((0..<session.cards.count).map { session.cards[$0].id.text } == sample.ids, "\(sample.name)")
            #expect(session.revertibleCount == sample.canRevert, "\(sample.name)")
        }
    }

    @Test func aSnapshotOfFormat2HasTheSettingsThatWereWrittenAndTheDefaultsOfItsTime() throws {
        for sample in try samples() {
            let settings = try session(of: sample).settings.plain
            let layout = Self.layouts[sample.settings["layout"] ?? "stack"] ?? [:]
            let written = Self.defaults.merging(layout) { $1 }.merging(sample.settings) { $1 }
            for (path, value) in written { #expect(settings[path] == value, "\(sample.name), \(path)") }
            #expect(!sample.settings.isEmpty || sample.name == "defaults", "\(sample.name)")
        }
    }

    @Test func aSnapshotOfFormat2IsTheSameAfterItWasWrittenAndReadAgain() throws {
        for sample in try samples() {
            let session = try session(of: sample)
            let cards = session.cardsSnapshot()
            let again = try DeckSession(snapshot: session.snapshot(withCards: false), cards: cards)
            let isSame = again == session
            #expect(isSame, "\(sample.name)")
            #expect(again.settings == session.settings, "\(sample.name)")
        }
    }

    @Test(arguments: defaults.sorted { $0.key < $1.key })
    func aDefaultIsWhatItWasWhenTheFormatWasMade(path: String, value: String) {
        #expect(DeckSettings().plain[path] == value)
    }

    @Test(arguments: layouts.keys.sorted())
    func aLayoutHasTheNumbersThatItHadWhenTheFormatWasMade(name: String) throws {
        var settings = DeckSettings()
        settings.layout = Layout(try #require(Layout.Kind.allCases.first { $0.name.description == name }))
        for (path, value) in Self.layouts[name] ?? [:] { #expect(settings.plain[path] == value, "\(path)") }
    }

    /// The settings of `DeckSettings()` at the time of the second format.
    static let defaults = [
        "appearance.fadeNext": "true",
        "appearance.opaque": "1.0",
        "appearance.semiTransparent": "0.7",
        "appearance.transparent": "0.0",
        "layout": "stack",
        "loop": "false",
        "motion.appear": "true",
        "motion.appearDuration": "800.0",
        "motion.backgroundDuration": "200.0",
        "motion.backgroundSpring": "none",
        "motion.dragSpeed": "800.0",
        "motion.exitFollowsFinger": "false",
        "motion.exitFollowsFling": "true",
        "motion.flipDuration": "400.0",
        "motion.moveBackground": "true",
        "motion.reduced": "false",
        "motion.resetDuration": "200.0",
        "motion.resetEasing": "ease",
        "motion.resetSpring": "10.0 20.0",
        "motion.revertDuration": "300.0",
        "motion.revertFadeDuration": "1000.0",
        "motion.rotationAngle": "0.3141592653589793",
        "motion.rotationMax": "1.0",
        "motion.scaleMin": "0.8",
        "motion.snapSpring": "4.0 12.0",
        "motion.tracking": "finger",
        "overlay.curve": "linear",
        "overlay.directions": "",
        "overlay.end": "1.0",
        "overlay.start": "0.0",
        "rules.allowedDirections": "left right",
        "rules.confirm": "",
        "rules.confirmTimeout": "10000.0",
        "rules.deniedDirections": "",
        "rules.dragAxis": "free",
        "rules.dragDirections": "none",
        "rules.draggable": "true",
        "rules.pullBackCancels": "true",
        "rules.refillAt": "3",
        "rules.sectors": "",
        "rules.swipeThreshold": "0.5",
        "rules.swipeThresholds": "",
        "rules.undoDirections": "",
        "rules.velocityThreshold": "750.0",
        "rules.whileAnimating": "proceed",
    ]

    /// The settings of each layout at the time of the second format.
    static let layouts = [
        "stack": [
            "layout.from": "bottom",
            "layout.scale": "0.95",
            "layout.topMargin": "4.0",
            "layout.visibleCount": "3",
        ],
        "stretched": [
            "layout.backgroundMargin": "0.25",
            "layout.backgroundScale": "1.5",
            "layout.heightRatio": "1.25",
            "layout.horizontalOffset": "10.0",
            "layout.topOffset": "20.0",
            "layout.visibleCount": "2",
        ],
        "flip": [
            "layout.cardHeight": "200.0",
            "layout.cardWidth": "300.0",
            "layout.perspective": "2000.0",
            "layout.scaleStep": "0.1",
            "layout.spacing": "30.0",
        ],
    ]
}
