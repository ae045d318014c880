import DeckWire
import Foundation
import Testing
import Yams

@testable import DeckService

/// A deck's settings lie in the ranges that the document gives: what is at a bound is taken, what is beyond it is not.
struct SettingContractTests {
    /// A schema, and where in a deck its members stand.
    private static let groups: [(schema: String, opening: String)] = [
        ("Rules", #""rules":{"#), ("Motion", #""motion":{"#), ("Appearance", #""appearance":{"#),
        ("Overlay", #""overlay":{"#), ("StackLayout", #""layout":{"type":"stack","#),
        ("StretchedLayout", #""layout":{"type":"stretched","#), ("FlipLayout", #""layout":{"type":"flip","#),
        ("Spring", #""motion":{"snapSpring":{"#), ("OverlayRange", #""overlay":{"directions":{"left":{"#),
    ]

    private func error(_ member: String, _ value: String, after opening: String) -> WireError? {
        let closing = String(repeating: "}", count: opening.count { $0 == "{" })
        let body = #"{"count":1,\#(opening)"\#(member)":\#(value)\#(closing)}"#
        do throws(WireError) {
            _ = try JSONParser().read(Array(body.utf8)) { value throws(WireError) in try DeckDocument(value) }
            return nil
        } catch {
            return error
        }
    }

    /// A number as JSON, and the nearest one on either side; of whole numbers the nearest whole one.
    private func text(_ number: Double, isWhole: Bool, step: Double) -> String {
        guard step != 0 else { return isWhole ? "\(Int(number))" : "\(number)" }
        if isWhole { return "\(Int(number + step))" }
        return "\(step > 0 ? number.nextUp : number.nextDown)"
    }

    @Test func theDocumentsBoundsAreTheCodes() throws {
        let document = try OpenAPIDocument()
        var bounds = 0
        for group in Self.groups {
            for (member, schema) in try document.members("components/schemas/\(group.schema)/properties") {
                let isWhole = schema["type"]?.string == "integer"
                for (keyword, step) in [("minimum", -1.0), ("maximum", 1.0)] {
                    guard let bound = schema[keyword]?.float else { continue }
                    bounds += 1
                    let taken = error(member, text(bound, isWhole: isWhole, step: 0), after: group.opening)
                    #expect(taken == nil, "\(group.schema) \(member) \(keyword)")
                    let beyond = error(member, text(bound, isWhole: isWhole, step: step), after: group.opening)
                    #expect(beyond?.kind == .outOfRange, "\(group.schema) \(member) \(keyword)")
                }
            }
        }
        #expect(bounds > 50)
    }

    @Test func theDocumentsMembersAreTheCodes() throws {
        let document = try OpenAPIDocument()
        for group in Self.groups {
            let names = try document.members("components/schemas/\(group.schema)/properties").map(\.name)
            // What is unknown is refused with a list of what is known.
            let detail = try #require(error("nothing", "1", after: group.opening)?.issue.detail)
            let known = try #require(detail.components(separatedBy: "known are: ").last)
            #expect(known.components(separatedBy: ", ").sorted() == names, "\(group.schema)")
        }
    }

    /// Generators of clients need these layouts in full.
    @Test func aWholeLayoutRequiresTheMembersOfTheLayout() throws {
        let document = try OpenAPIDocument()
        for layout in ["StackLayout", "StretchedLayout", "FlipLayout"] {
            let members = try document.members("components/schemas/\(layout)/properties")
            let whole = try document.members("components/schemas/Whole\(layout)/properties")
            #expect(whole.map(\.name) == members.map(\.name), "\(layout)")
            for (one, other) in zip(whole, members) { #expect(one.value == other.value, "\(layout) \(one.name)") }
            let required = try #require(try document.schema("Whole\(layout)/required").sequence)
            #expect(required.compactMap(\.string).sorted() == members.map(\.name), "\(layout)")
        }
    }

    /// What a whole group requires stands beside the reference to the group.
    @Test func aWholeGroupRequiresTheMembersOfTheSettings() throws {
        let document = try OpenAPIDocument()
        for group in ["Rules", "Motion", "Appearance", "Overlay"] {
            let members = try document.members("components/schemas/\(group)/properties")
            let parts = try #require(try document.schema("Whole\(group)/allOf").sequence)
            #expect(parts.first?["$ref"]?.string == "#/components/schemas/\(group)")
            let required = try #require(parts.last?["required"]?.sequence).compactMap(\.string)
            #expect(required.sorted() == members.map(\.name), "\(group)")
        }
    }

    @Test func aPatchHasTheMembersOfTheSettings() throws {
        let document = try OpenAPIDocument()
        for group in ["Rules", "Motion", "Appearance", "Overlay", "Spring", "OverlayRange"] {
            let names = try document.members("components/schemas/\(group)/properties").map(\.name)
            #expect(try document.members("components/schemas/\(group)Patch/properties").map(\.name) == names)
        }
    }
}
