// A deck's settings in a client snapshot: the values in the order in which they are declared, without names. A byte before
// each says whether it differs from its base.

enum ClientSettings {
    static func write(_ settings: DeckSettings, to writer: inout SnapshotWriter) {
        var settings = settings
        // A visitor can be copied and the writer cannot, so the visitor has a pointer to it for as long as it visits.
        withUnsafeMutablePointer(to: &writer) { writer in
            var visitor = ClientSettingWriter(writer: writer)
            settings.visit(&visitor, base: DeckSettings())
        }
    }

    static func read(from reader: inout SnapshotReader) throws(SnapshotError) -> DeckSettings {
        var settings = DeckSettings()
        var visitor = ClientSettingReader(reader: reader)
        try settings.visit(&visitor, base: DeckSettings())
        reader = visitor.reader
        return settings
    }
}

/// Writes the settings that differ from their bases.
private struct ClientSettingWriter: SettingVisitor {
    let writer: UnsafeMutablePointer<SnapshotWriter>

    private mutating func write<Value: Snapshotted & Equatable>(_ value: Value, _ base: Value) {
        writer.pointee.write(value == base ? nil : value)
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool, _ base: Bool) { write(value, base) }

    mutating func integer(_ name: StaticString, _ value: inout Int, _ base: Int, in range: ClosedRange<Int>) {
        write(value, base)
    }

    mutating func number(_ name: StaticString, _ value: inout Double, _ base: Double, in range: ClosedRange<Double>) {
        write(value, base)
    }

    mutating func optionalNumber(
        _ name: StaticString,
        _ value: inout Double?,
        _ base: Double?,
        in range: ClosedRange<Double>
    ) {
        write(value, base)
    }

    mutating func choice<Choice: NamedChoice>(_ name: StaticString, _ value: inout Choice, _ base: Choice) {
        writer.pointee.byte(value.rawValue)
    }

    mutating func curve(_ name: StaticString, _ value: inout Curve, _ base: Curve) { write(value, base) }

    mutating func directions(_ name: StaticString, _ value: inout Directions, _ base: Directions) { write(value, base) }

    mutating func optionalDirections(_ name: StaticString, _ value: inout Directions?, _ base: Directions?) {
        write(value, base)
    }

    mutating func sectors(_ name: StaticString, _ value: inout [Sector], _ base: [Sector]) { write(value, base) }

    mutating func playerEvents(_ name: StaticString, _ value: inout PlayerEvents, _ base: PlayerEvents) {
        write(value, base)
    }

    mutating func spring(_ name: StaticString, _ value: inout SpringSettings, _ base: SpringSettings) {
        write(value, base)
    }

    mutating func optionalSpring(
        _ name: StaticString,
        _ value: inout SpringSettings?,
        _ base: SpringSettings?,
        startingFrom start: SpringSettings
    ) {
        write(value, base)
    }

    mutating func numbers(
        _ name: StaticString,
        _ value: inout PerDirection<Double>,
        _ base: PerDirection<Double>,
        in range: ClosedRange<Double>
    ) {
        write(value, base)
    }

    mutating func ranges(
        _ name: StaticString,
        _ value: inout PerDirection<OverlayRange>,
        _ base: PerDirection<OverlayRange>,
        over range: OverlayRange
    ) {
        write(value, base)
    }

    mutating func layout(_ name: StaticString, _ value: inout Layout, _ base: Layout) {
        writer.pointee.byte(value.kind.rawValue)
        value.visit(&self)
    }

    mutating func group<Group: SettingGroup>(_ name: StaticString, _ value: inout Group, _ base: Group) {
        value.visit(&self, base: base)
    }
}

/// Reads settings in their order, and checks their ranges.
private struct ClientSettingReader: SettingVisitor {
    var reader: SnapshotReader

    private mutating func read<Value: Snapshotted>(
        _ value: inout Value,
        _ base: Value,
        _ isValid: (Value) -> Bool = { _ in true }
    ) throws(SnapshotError) {
        value = try reader.read(Value?.self) ?? base
        guard isValid(value) else { throw .damaged }
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool, _ base: Bool) throws(SnapshotError) {
        try read(&value, base)
    }

    mutating func integer(
        _ name: StaticString,
        _ value: inout Int,
        _ base: Int,
        in range: ClosedRange<Int>
    ) throws(SnapshotError) {
        try read(&value, base, range.contains)
    }

    mutating func number(
        _ name: StaticString,
        _ value: inout Double,
        _ base: Double,
        in range: ClosedRange<Double>
    ) throws(SnapshotError) {
        try read(&value, base, range.contains)
    }

    mutating func optionalNumber(
        _ name: StaticString,
        _ value: inout Double?,
        _ base: Double?,
        in range: ClosedRange<Double>
    ) throws(SnapshotError) {
        try read(&value, base) { $0.map(range.contains) ?? true }
    }

    mutating func choice<Choice: NamedChoice>(
        _ name: StaticString,
        _ value: inout Choice,
        _ base: Choice
    ) throws(SnapshotError) {
        guard let choice = Choice(rawValue: try reader.byte()) else { throw .damaged }
        value = choice
    }

    mutating func curve(_ name: StaticString, _ value: inout Curve, _ base: Curve) throws(SnapshotError) {
        try read(&value, base) { $0.isNamed }
    }

    mutating func directions(
        _ name: StaticString,
        _ value: inout Directions,
        _ base: Directions
    ) throws(SnapshotError) {
        try read(&value, base)
    }

    mutating func optionalDirections(
        _ name: StaticString,
        _ value: inout Directions?,
        _ base: Directions?
    ) throws(SnapshotError) {
        try read(&value, base)
    }

    mutating func sectors(_ name: StaticString, _ value: inout [Sector], _ base: [Sector]) throws(SnapshotError) {
        try read(&value, base) { $0.count <= SettingLimits.sectors }
    }

    mutating func playerEvents(
        _ name: StaticString,
        _ value: inout PlayerEvents,
        _ base: PlayerEvents
    ) throws(SnapshotError) {
        try read(&value, base)
    }

    mutating func spring(
        _ name: StaticString,
        _ value: inout SpringSettings,
        _ base: SpringSettings
    ) throws(SnapshotError) {
        try read(&value, base) { $0.isInRange }
    }

    mutating func optionalSpring(
        _ name: StaticString,
        _ value: inout SpringSettings?,
        _ base: SpringSettings?,
        startingFrom start: SpringSettings
    ) throws(SnapshotError) {
        try read(&value, base) { $0?.isInRange ?? true }
    }

    mutating func numbers(
        _ name: StaticString,
        _ value: inout PerDirection<Double>,
        _ base: PerDirection<Double>,
        in range: ClosedRange<Double>
    ) throws(SnapshotError) {
        try read(&value, base) { values in
            Direction.allCases.allSatisfy { values[$0].map(range.contains) ?? true }
        }
    }

    mutating func ranges(
        _ name: StaticString,
        _ value: inout PerDirection<OverlayRange>,
        _ base: PerDirection<OverlayRange>,
        over range: OverlayRange
    ) throws(SnapshotError) {
        try read(&value, base)
    }

    mutating func layout(_ name: StaticString, _ value: inout Layout, _ base: Layout) throws(SnapshotError) {
        guard let kind = Layout.Kind(rawValue: try reader.byte()) else { throw .damaged }
        var layout = Layout(kind)
        try layout.visit(&self)
        value = layout
    }

    mutating func group<Group: SettingGroup>(
        _ name: StaticString,
        _ value: inout Group,
        _ base: Group
    ) throws(SnapshotError) {
        var group = base
        try group.visit(&self, base: base)
        value = group
    }
}
