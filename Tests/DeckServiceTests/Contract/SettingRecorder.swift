import DeckEngine

@testable import DeckWire

/// A member that a group of settings declares.
struct DeclaredSetting {
    var name: String
    /// What stands for it where it is not set, as `docs/api.md` writes it.
    var initial: String
    /// The numbers that it, or each number in it, may be.
    var range: ClosedRange<Double>?
    /// The names that it may be.
    var choices: [String] = []
    /// How many elements it may have.
    var largestCount: Int?
    /// Whether null is a value.
    var isOptional = false
}

/// Records what a group of settings declares.
struct SettingRecorder: SettingVisitor {
    typealias Failure = Never

    private(set) var settings: [DeclaredSetting] = []

    /// The members of a group in the order of their declaration.
    static func settings(of group: some SettingGroup) -> [DeclaredSetting] {
        var (recorder, visited) = (SettingRecorder(), group)
        visited.visit(&recorder, base: group)
        return recorder.settings
    }

    private mutating func add(
        _ name: StaticString,
        _ initial: String,
        _ change: (inout DeclaredSetting) -> Void = { _ in }
    ) {
        var setting = DeclaredSetting(name: name.description, initial: initial)
        change(&setting)
        settings.append(setting)
    }

    private func text(_ number: Double) -> String {
        number == .pi / 10 ? "π/10" : JSONWriter.text(of: number)
    }

    private func text(_ directions: Directions) -> String {
        "[\(directions.map { "\"\($0.name)\"" }.joined(separator: ", "))]"
    }

    private func text(_ spring: SpringSettings) -> String {
        "\(text(spring.bounciness))/\(text(spring.speed))"
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool, _ base: Bool) {
        add(name, "\(base)")
    }

    mutating func integer(_ name: StaticString, _ value: inout Int, _ base: Int, in range: ClosedRange<Int>) {
        add(name, "\(base)") { $0.range = Double(range.lowerBound)...Double(range.upperBound) }
    }

    mutating func number(_ name: StaticString, _ value: inout Double, _ base: Double, in range: ClosedRange<Double>) {
        add(name, text(base)) { $0.range = range }
    }

    mutating func optionalNumber(
        _ name: StaticString,
        _ value: inout Double?,
        _ base: Double?,
        in range: ClosedRange<Double>
    ) {
        add(name, base.map(text) ?? "null") { ($0.range, $0.isOptional) = (range, true) }
    }

    mutating func choice<Choice: NamedChoice>(_ name: StaticString, _ value: inout Choice, _ base: Choice) {
        add(name, "\(base.name)") { $0.choices = Choice.allCases.map(\.name.description) }
    }

    mutating func curve(_ name: StaticString, _ value: inout Curve, _ base: Curve) {
        add(name, "\(base.name)") { $0.choices = Curve.named.map(\.name.description) }
    }

    mutating func directions(_ name: StaticString, _ value: inout Directions, _ base: Directions) {
        add(name, text(base)) { $0.largestCount = Direction.allCases.count }
    }

    mutating func optionalDirections(_ name: StaticString, _ value: inout Directions?, _ base: Directions?) {
        add(name, base.map(text) ?? "null") { ($0.largestCount, $0.isOptional) = (Direction.allCases.count, true) }
    }

    mutating func sectors(_ name: StaticString, _ value: inout [Sector], _ base: [Sector]) {
        add(name, base.isEmpty ? "[]" : "\(base)") { $0.largestCount = SettingLimits.sectors }
    }

    mutating func playerEvents(_ name: StaticString, _ value: inout PlayerEvents, _ base: PlayerEvents) {
        add(name, "[\(base.events.map { "\"\($0.name)\"" }.joined(separator: ", "))]") {
            $0.largestCount = PlayerEvent.allCases.count
        }
    }

    mutating func spring(_ name: StaticString, _ value: inout SpringSettings, _ base: SpringSettings) {
        add(name, text(base))
    }

    mutating func optionalSpring(
        _ name: StaticString,
        _ value: inout SpringSettings?,
        _ base: SpringSettings?,
        startingFrom start: SpringSettings
    ) {
        add(name, base.map(text) ?? "null") { $0.isOptional = true }
    }

    mutating func numbers(
        _ name: StaticString,
        _ value: inout PerDirection<Double>,
        _ base: PerDirection<Double>,
        in range: ClosedRange<Double>
    ) {
        add(name, base == PerDirection() ? "{}" : "\(base)")
    }

    mutating func ranges(
        _ name: StaticString,
        _ value: inout PerDirection<OverlayRange>,
        _ base: PerDirection<OverlayRange>,
        over range: OverlayRange
    ) {
        add(name, base == PerDirection() ? "{}" : "\(base)")
    }

    mutating func layout(_ name: StaticString, _ value: inout Layout, _ base: Layout) {
        add(name, "\(base.kind.name)")
    }

    mutating func group<Group: SettingGroup>(_ name: StaticString, _ value: inout Group, _ base: Group) {
        add(name, "")
    }
}
