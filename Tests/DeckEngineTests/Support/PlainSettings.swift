@testable import DeckEngine

extension DeckSettings {
    /// Every setting as text, by its path.
    var plain: [String: String] {
        var settings = self
        var lister = SettingLister()
        settings.visit(&lister, base: DeckSettings())
        return lister.settings
    }
}

/// Lists settings as text, regardless of their bases.
private struct SettingLister: SettingVisitor {
    private(set) var settings: [String: String] = [:]
    private var path = ""

    private mutating func list(_ name: StaticString, _ value: String?) {
        settings[path + name.description] = value ?? "none"
    }

    private mutating func within(_ name: StaticString, _ body: (inout SettingLister) -> Void) {
        let outer = path
        path += "\(name)."
        body(&self)
        path = outer
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool, _ base: Bool) { list(name, "\(value)") }

    mutating func integer(_ name: StaticString, _ value: inout Int, _ base: Int, in range: ClosedRange<Int>) {
        list(name, "\(value)")
    }

    mutating func number(_ name: StaticString, _ value: inout Double, _ base: Double, in range: ClosedRange<Double>) {
        list(name, "\(value)")
    }

    mutating func optionalNumber(
        _ name: StaticString,
        _ value: inout Double?,
        _ base: Double?,
        in range: ClosedRange<Double>
    ) {
        list(name, value.map { "\($0)" })
    }

    mutating func choice<Choice: NamedChoice>(_ name: StaticString, _ value: inout Choice, _ base: Choice) {
        list(name, value.name.description)
    }

    mutating func curve(_ name: StaticString, _ value: inout Curve, _ base: Curve) { list(name, "\(value)") }

    mutating func directions(_ name: StaticString, _ value: inout Directions, _ base: Directions) {
        list(name, text(value))
    }

    mutating func optionalDirections(_ name: StaticString, _ value: inout Directions?, _ base: Directions?) {
        list(name, value.map(text))
    }

    mutating func sectors(_ name: StaticString, _ value: inout [Sector], _ base: [Sector]) {
        list(name, value.map { "\($0.direction) \($0.from.value) \($0.to.value)" }.joined(separator: ", "))
    }

    mutating func playerEvents(_ name: StaticString, _ value: inout PlayerEvents, _ base: PlayerEvents) {
        list(name, value.events.map(\.name.description).joined(separator: ", "))
    }

    mutating func spring(_ name: StaticString, _ value: inout SpringSettings, _ base: SpringSettings) {
        list(name, text(value))
    }

    mutating func optionalSpring(
        _ name: StaticString,
        _ value: inout SpringSettings?,
        _ base: SpringSettings?,
        startingFrom start: SpringSettings
    ) {
        list(name, value.map(text))
    }

    mutating func numbers(
        _ name: StaticString,
        _ value: inout PerDirection<Double>,
        _ base: PerDirection<Double>,
        in range: ClosedRange<Double>
    ) {
        list(name, Direction.allCases.compactMap { text($0, value[$0]) }.joined(separator: ", "))
    }

    mutating func ranges(
        _ name: StaticString,
        _ value: inout PerDirection<OverlayRange>,
        _ base: PerDirection<OverlayRange>,
        over range: OverlayRange
    ) {
        let values = value
        let parts = Direction.allCases.compactMap { direction in
            text(direction, values[direction].map { "\($0.start) \($0.end) \($0.curve)" })
        }
        list(name, parts.joined(separator: ", "))
    }

    mutating func layout(_ name: StaticString, _ value: inout Layout, _ base: Layout) {
        list(name, value.kind.name.description)
        within(name) { value.visit(&$0) }
    }

    mutating func group<Group: SettingGroup>(_ name: StaticString, _ value: inout Group, _ base: Group) {
        within(name) { value.visit(&$0, base: base) }
    }

    private func text(_ directions: Directions) -> String {
        directions.map { "\($0)" }.joined(separator: " ")
    }

    private func text(_ spring: SpringSettings) -> String {
        "\(spring.bounciness) \(spring.speed)"
    }

    private func text(_ direction: Direction, _ value: (some Any)?) -> String? {
        value.map { "\(direction) \($0)" }
    }
}
