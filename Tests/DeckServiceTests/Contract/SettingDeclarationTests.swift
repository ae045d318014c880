import DeckEngine
import DeckWire
import Foundation
import Testing
import Yams

@testable import DeckService

/// Every property of the engine's settings is declared, and the documents list what is declared.
struct SettingDeclarationTests {
    /// A group of settings, its schema in the document, and how `docs/api.md` names it in a row.
    private struct Group {
        var schema: String
        var row: String
        var value: any SettingGroup
    }

    private static let groups = [
        Group(schema: "Rules", row: "rules.", value: Rules()),
        Group(schema: "Motion", row: "motion.", value: MotionSettings()),
        Group(schema: "Appearance", row: "appearance.", value: Appearance()),
        Group(schema: "Overlay", row: "overlay.", value: OverlaySettings()),
        Group(schema: "StackLayout", row: "stack: ", value: StackLayout()),
        Group(schema: "StretchedLayout", row: "stretched: ", value: StretchedLayout()),
        Group(schema: "FlipLayout", row: "flip: ", value: FlipLayout()),
    ]

    private func declared(_ group: Group) -> [DeclaredSetting] {
        SettingRecorder.settings(of: group.value)
    }

    /// The stored properties. An overlay's range has no separate object on the wire.
    private func stored(_ value: Any) -> [String] {
        Mirror(reflecting: value).children.flatMap { child in
            child.value is OverlayRange ? stored(child.value) : [child.label ?? ""]
        }
    }

    @Test func everyStoredPropertyIsDeclaredOnce() {
        for group in Self.groups {
            #expect(declared(group).map(\.name).sorted() == stored(group.value).sorted(), "\(group.schema)")
        }
        let settings = DeckSettings()
        #expect(SettingRecorder.settings(of: settings).map(\.name).sorted() == stored(settings).sorted())
        let range = OverlayRange()
        #expect(SettingRecorder.settings(of: range).map(\.name).sorted() == stored(range).sorted())
    }

    @Test func theDescriptionHasTheDeclaredMembersAndRanges() throws {
        let document = try OpenAPIDocument()
        for group in Self.groups {
            let members = try document.members("components/schemas/\(group.schema)/properties")
            let settings = declared(group)
            let names = settings.map(\.name) + (group.schema.hasSuffix("Layout") ? ["type"] : [])
            #expect(members.map(\.name) == names.sorted(), "\(group.schema)")
            for setting in settings {
                let path = "\(group.schema) \(setting.name)"
                let member = try #require(members.first { $0.name == setting.name }).value
                let alternatives = try (member["anyOf"]?.sequence).map { try $0.map { try document.resolve($0) } }
                let types = (alternatives ?? [member]).flatMap { schema in
                    schema["type"]?.sequence?.map { $0.string ?? "" } ?? [schema["type"]?.string ?? ""]
                }
                #expect(types.contains("null") == setting.isOptional, "\(path)")
                let schema = alternatives?.first ?? member
                #expect(schema["minimum"]?.float == setting.range?.lowerBound, "\(path)")
                #expect(schema["maximum"]?.float == setting.range?.upperBound, "\(path)")
                #expect(schema["maxItems"]?.int == setting.largestCount, "\(path)")
                let choices = schema["enum"]?.sequence?.compactMap(\.string) ?? []
                #expect(choices == setting.choices, "\(path)")
            }
        }
    }

    /// The rows of the table of settings in `docs/api.md`.
    private func rows() throws -> [[String]] {
        let page = try String(contentsOf: repository.appending(path: "docs/api.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n### Settings\n").dropFirst().first)
        return section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }.map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func thePageHasTheDeclaredMembersAndDefaults() throws {
        let rows = try rows()
        for group in Self.groups {
            var listed: [String: String] = [:]
            for row in rows where row[0].hasPrefix(group.row) || row[0].hasPrefix("`\(group.row)") {
                let names = row[0].matches(of: /`([^`]*)`/).map { String($0.1.split(separator: ".").last ?? "") }
                let defaults = row[1].matches(of: /`([^`]*)`|([^`, ]+)/).map { String($0.1 ?? $0.2 ?? "") }
                #expect(names.count == defaults.count, "\(row[0])")
                for (name, value) in zip(names, defaults) {
                    #expect(listed.updateValue(value, forKey: name) == nil, "\(name)")
                }
            }
            let declared = declared(group)
            #expect(listed.keys.sorted() == declared.map(\.name).sorted(), "\(group.schema)")
            for setting in declared {
                #expect(listed[setting.name] == setting.initial, "\(group.schema) \(setting.name)")
            }
        }
    }
}
