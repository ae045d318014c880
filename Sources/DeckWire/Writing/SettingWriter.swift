public import DeckEngine

/// Writes settings as members of an open object, without rounded numbers, so that reading them gives the same settings.
private struct SettingWriter: SettingVisitor {
    typealias Failure = Never

    /// The document, which outlives the visitor. A visitor can be copied and a writer cannot, so this is a pointer.
    private let document: UnsafeMutablePointer<JSONWriter>

    init(_ document: UnsafeMutablePointer<JSONWriter>) {
        self.document = document
    }

    private var json: JSONWriter {
        _read { yield document.pointee }
        nonmutating _modify { yield &document.pointee }
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool, _ base: Bool) {
        json.member(name, value)
    }

    mutating func integer(_ name: StaticString, _ value: inout Int, _ base: Int, in range: ClosedRange<Int>) {
        json.member(name, value)
    }

    mutating func number(_ name: StaticString, _ value: inout Double, _ base: Double, in range: ClosedRange<Double>) {
        json.member(name, exactly: value)
    }

    mutating func optionalNumber(
        _ name: StaticString,
        _ value: inout Double?,
        _ base: Double?,
        in range: ClosedRange<Double>
    ) {
        if let value { json.member(name, exactly: value) } else { json.nullMember(name) }
    }

    mutating func choice<Choice: NamedChoice>(_ name: StaticString, _ value: inout Choice, _ base: Choice) {
        json.member(name, value.name)
    }

    mutating func curve(_ name: StaticString, _ value: inout Curve, _ base: Curve) {
        json.member(name, value.name)
    }

    mutating func directions(_ name: StaticString, _ value: inout Directions, _ base: Directions) {
        json.member(name, value)
    }

    mutating func optionalDirections(_ name: StaticString, _ value: inout Directions?, _ base: Directions?) {
        if let value { json.member(name, value) } else { json.nullMember(name) }
    }

    mutating func sectors(_ name: StaticString, _ value: inout [Sector], _ base: [Sector]) {
        json.array(name) { json in
            for sector in value {
                json.object {
                    $0.member("direction", sector.direction.name)
                    $0.member("from", exactly: sector.from.value)
                    $0.member("to", exactly: sector.to.value)
                }
            }
        }
    }

    mutating func playerEvents(_ name: StaticString, _ value: inout PlayerEvents, _ base: PlayerEvents) {
        json.array(name) { json in
            for event in value.events { json.string(event.name.description) }
        }
    }

    mutating func spring(_ name: StaticString, _ value: inout SpringSettings, _ base: SpringSettings) {
        json.member(name, value)
    }

    mutating func optionalSpring(
        _ name: StaticString,
        _ value: inout SpringSettings?,
        _ base: SpringSettings?,
        startingFrom start: SpringSettings
    ) {
        if let value { json.member(name, value) } else { json.nullMember(name) }
    }

    mutating func numbers(
        _ name: StaticString,
        _ value: inout PerDirection<Double>,
        _ base: PerDirection<Double>,
        in range: ClosedRange<Double>
    ) {
        json.object(name) { json in
            for direction in Direction.allCases {
                if let number = value[direction] { json.member(direction.name, exactly: number) }
            }
        }
    }

    mutating func ranges(
        _ name: StaticString,
        _ value: inout PerDirection<OverlayRange>,
        _ base: PerDirection<OverlayRange>,
        over range: OverlayRange
    ) {
        json.object(name) { json in
            for direction in Direction.allCases {
                guard let range = value[direction] else { continue }
                json.object(direction.name) { $0.members(of: range) }
            }
        }
    }

    mutating func layout(_ name: StaticString, _ value: inout Layout, _ base: Layout) {
        json.object(name) { json in
            json.member("type", value.kind.name)
            json.visiting { value.visit(&$0) }
        }
    }

    mutating func group<Group: SettingGroup>(_ name: StaticString, _ value: inout Group, _ base: Group) {
        json.object(name) { $0.members(of: value) }
    }
}

extension JSONWriter {
    /// Writes every setting of a group, as members of the open object.
    public mutating func members(of group: some SettingGroup) {
        var visited = group
        visiting { visited.visit(&$0, base: group) }
    }

    /// Writes the settings that a patch can change, and the layout, as members of the open object.
    public mutating func settings(of session: DeckSession) {
        member("viewport", session.viewport)
        member("screen", session.screen)
        members(of: session.settings)
    }

    /// Passes the document to a visitor.
    fileprivate mutating func visiting(_ body: (inout SettingWriter) -> Void) {
        withUnsafeMutablePointer(to: &self) { document in
            var visitor = SettingWriter(document)
            body(&visitor)
        }
    }
}
