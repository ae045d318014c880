import DeckEngine
import DeckWire
import Foundation
import Testing

/// The presets as files, which show a reader every setting with its value.
@Suite struct PresetFileTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "config/presets")

    private func text(of preset: Preset) throws -> String {
        try String(contentsOf: Self.folder.appending(path: "\(preset.name).json"), encoding: .utf8)
    }

    @Test func everyPresetHasAFileAndEveryFileAPreset() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.sorted() == Preset.allCases.map { "\($0.name).json" }.sorted())
    }

    @Test(arguments: Preset.allCases)
    func aFileIsExactlyThePreset(preset: Preset) throws {
        let document = try deck(text(of: preset))
        #expect(document.preset == preset)
        #expect(document.deck == Deck(cards: .numbered(0), settings: DeckSettings(preset: preset)))
    }

    /// As GET prints the deck, but with line breaks.
    @Test(arguments: Preset.allCases)
    func aFileSpellsEverySettingOut(preset: Preset) throws {
        let file = try text(of: preset)
        let compact = file.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined()
            .replacing(": ", with: ":").replacing(", ", with: ",").replacing("{ ", with: "{").replacing(" }", with: "}")
        let document = DeckDocument(preset: preset, deck: Deck(cards: .numbered(0), settings: .init(preset: preset)))
        #expect(compact == DeckWireTests.text(of: document))
        #expect(file.hasSuffix("}\n"))
    }

    /// The file says all of it by itself: without its preset it is still the same deck.
    @Test(arguments: Preset.allCases)
    func aFileDoesNotLeanOnItsPreset(preset: Preset) throws {
        let file = try text(of: preset)
        for other in Preset.allCases {
            let moved = file.replacing("\"preset\": \"\(preset.name)\"", with: "\"preset\": \"\(other.name)\"")
            #expect(try deck(moved).deck == deck(file).deck)
            #expect(try deck(moved).preset == other)
        }
    }
}
