import DeckEngine

/// Collects the names of the members of a group of settings, in their order.
struct SettingNames: SettingVisitor {
    typealias Failure = Never

    private(set) var names: [StaticString] = []

    /// The names of a group's members.
    init(of group: some SettingGroup) {
        var visited = group
        visited.visit(&self, base: group)
    }

    /// The names of a layout's members. The type comes first.
    init(of layout: Layout) {
        names.append("type")
        var visited = layout
        visited.visit(&self)
    }

    mutating func flag(_ name: StaticString, _: inout Bool, _: Bool) { names.append(name) }

    mutating func integer(_ name: StaticString, _: inout Int, _: Int, in _: ClosedRange<Int>) { names.append(name) }

    mutating func number(_ name: StaticString, _: inout Double, _: Double, in _: ClosedRange<Double>) {
        names.append(name)
    }

    mutating func optionalNumber(_ name: StaticString, _: inout Double?, _: Double?, in _: ClosedRange<Double>) {
        names.append(name)
    }

    mutating func choice<Choice: NamedChoice>(_ name: StaticString, _: inout Choice, _: Choice) { names.append(name) }

    mutating func curve(_ name: StaticString, _: inout Curve, _: Curve) { names.append(name) }

    mutating func directions(_ name: StaticString, _: inout Directions, _: Directions) { names.append(name) }

    mutating func optionalDirections(_ name: StaticString, _: inout Directions?, _: Directions?) { names.append(name) }

    mutating func sectors(_ name: StaticString, _: inout [Sector], _: [Sector]) { names.append(name) }

    mutating func playerEvents(_ name: StaticString, _: inout PlayerEvents, _: PlayerEvents) { names.append(name) }

    mutating func spring(_ name: StaticString, _: inout SpringSettings, _: SpringSettings) { names.append(name) }

    mutating func optionalSpring(
        _ name: StaticString,
        _: inout SpringSettings?,
        _: SpringSettings?,
        startingFrom _: SpringSettings
    ) {
        names.append(name)
    }

    mutating func numbers(
        _ name: StaticString,
        _: inout PerDirection<Double>,
        _: PerDirection<Double>,
        in _: ClosedRange<Double>
    ) {
        names.append(name)
    }

    mutating func ranges(
        _ name: StaticString,
        _: inout PerDirection<OverlayRange>,
        _: PerDirection<OverlayRange>,
        over _: OverlayRange
    ) {
        names.append(name)
    }

    mutating func layout(_ name: StaticString, _: inout Layout, _: Layout) { names.append(name) }

    mutating func group<Group: SettingGroup>(_ name: StaticString, _: inout Group, _: Group) { names.append(name) }
}
