// A deck's settings in a client snapshot: all values in the order in which they are declared, without names.

enum ClientSettings {
    static func write(_ settings: DeckSettings, to writer: inout SnapshotWriter) {
        var settings = settings
        // A visitor can be copied and the writer cannot, so the visitor has a pointer to it for as long as it visits.
        withUnsafeMutablePointer(to: &writer) { writer in
            var visitor = ClientSettingWriter(writer: writer)
            settings.visit(&visitor, base: DeckSettings())
        }
    }

    static func read(from reader: inout SnapshotReader) throws(SnapshotReader.Failure) -> DeckSettings {
        var settings = DeckSettings()
        var visitor = ClientSettingReader(reader: reader)
        try settings.visit(&visitor, base: DeckSettings())
        reader = visitor.reader
        return settings
    }
}

/// Writes all settings.
private struct ClientSettingWriter: SettingVisitor {
    let writer: UnsafeMutablePointer<SnapshotWriter>

    private mutating func write(_ value: some Snapshotted) {
        writer.pointee.write(value)
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool, _ base: Bool) { write(value) }

    mutating func integer(_ name: StaticString, _ value: inout Int, _ base: Int, in range: ClosedRange<Int>) {
        write(value)
    }

    mutating func number(_ name: StaticString, _ value: inout Double, _ base: Double, in range: ClosedRange<Double>) {
        write(value)
    }

    mutating func optionalNumber(
        _ name: StaticString,
        _ value: inout Double?,
        _ base: Double?,
        in range: ClosedRange<Double>
    ) {
        write(value)
    }

    mutating func choice<Choice: NamedChoice>(_ name: StaticString, _ value: inout Choice, _ base: Choice) {
        writer.pointee.byte(value.rawValue)
    }

    mutating func curve(_ name: StaticString, _ value: inout Curve, _ base: Curve) { write(value) }

    mutating func directions(_ name: StaticString, _ value: inout Directions, _ base: Directions) { write(value) }

    mutating func optionalDirections(_ name: StaticString, _ value: inout Directions?, _ base: Directions?) {
        write(value)
    }

    mutating func sectors(_ name: StaticString, _ value: inout [Sector], _ base: [Sector]) { write(value) }

    mutating func playerEvents(_ name: StaticString, _ value: inout PlayerEvents, _ base: PlayerEvents) {
        write(value)
    }

    mutating func spring(_ name: StaticString, _ value: inout SpringSettings, _ base: SpringSettings) {
        write(value)
    }

    mutating func optionalSpring(
        _ name: StaticString,
        _ value: inout SpringSettings?,
        _ base: SpringSettings?,
        startingFrom start: SpringSettings
    ) {
        write(value)
    }

    mutating func numbers(
        _ name: StaticString,
        _ value: inout PerDirection<Double>,
        _ base: PerDirection<Double>,
        in range: ClosedRange<Double>
    ) {
        write(value)
    }

    mutating func ranges(
        _ name: StaticString,
        _ value: inout PerDirection<OverlayRange>,
        _ base: PerDirection<OverlayRange>,
        over range: OverlayRange
    ) {
        write(value)
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

    mutating func flag(_ name: StaticString, _ value: inout Bool, _ base: Bool) throws(SnapshotReader.Failure) {
        value = try reader.read()
    }

    mutating func integer(
        _ name: StaticString,
        _ value: inout Int,
        _ base: Int,
        in range: ClosedRange<Int>
    ) throws(SnapshotReader.Failure) {
        value = try reader.read()
        try reader.require(range.contains(value))
    }

    mutating func number(
        _ name: StaticString,
        _ value: inout Double,
        _ base: Double,
        in range: ClosedRange<Double>
    ) throws(SnapshotReader.Failure) {
        value = try reader.read()
        try reader.require(range.contains(value))
    }

    mutating func optionalNumber(
        _ name: StaticString,
        _ value: inout Double?,
        _ base: Double?,
        in range: ClosedRange<Double>
    ) throws(SnapshotReader.Failure) {
        value = try reader.read()
        if let value { try reader.require(range.contains(value)) }
    }

    mutating func choice<Choice: NamedChoice>(
        _ name: StaticString,
        _ value: inout Choice,
        _ base: Choice
    ) throws(SnapshotReader.Failure) {
        let choice = Choice(rawValue: try reader.byte())
        try reader.require(choice != nil)
        value = choice ?? base
    }

    mutating func curve(_ name: StaticString, _ value: inout Curve, _ base: Curve) throws(SnapshotReader.Failure) {
        value = try reader.read()
        try reader.require(value.isNamed)
    }

    mutating func directions(
        _ name: StaticString,
        _ value: inout Directions,
        _ base: Directions
    ) throws(SnapshotReader.Failure) {
        value = try reader.read()
    }

    mutating func optionalDirections(
        _ name: StaticString,
        _ value: inout Directions?,
        _ base: Directions?
    ) throws(SnapshotReader.Failure) {
        value = try reader.read()
    }

    mutating func sectors(_ name: StaticString, _ value: inout [Sector], _ base: [Sector]) throws(SnapshotReader
        .Failure)
    {
        value = try reader.read()
        try reader.require(value.count <= SettingLimits.sectors)
    }

    mutating func playerEvents(
        _ name: StaticString,
        _ value: inout PlayerEvents,
        _ base: PlayerEvents
    ) throws(SnapshotReader.Failure) {
        value = try reader.read()
    }

    mutating func spring(
        _ name: StaticString,
        _ value: inout SpringSettings,
        _ base: SpringSettings
    ) throws(SnapshotReader.Failure) {
        value = try reader.read()
        try reader.require(value.isInRange)
    }

    mutating func optionalSpring(
        _ name: StaticString,
        _ value: inout SpringSettings?,
        _ base: SpringSettings?,
        startingFrom start: SpringSettings
    ) throws(SnapshotReader.Failure) {
        value = try reader.read()
        if let value { try reader.require(value.isInRange) }
    }

    mutating func numbers(
        _ name: StaticString,
        _ value: inout PerDirection<Double>,
        _ base: PerDirection<Double>,
        in range: ClosedRange<Double>
    ) throws(SnapshotReader.Failure) {
        value = try reader.read()
        for direction in Direction.allCases {
            if let number = value[direction] { try reader.require(range.contains(number)) }
        }
    }

    mutating func ranges(
        _ name: StaticString,
        _ value: inout PerDirection<OverlayRange>,
        _ base: PerDirection<OverlayRange>,
        over range: OverlayRange
    ) throws(SnapshotReader.Failure) {
        value = try reader.read()
    }

    mutating func layout(_ name: StaticString, _ value: inout Layout, _ base: Layout) throws(SnapshotReader.Failure) {
        let kind = Layout.Kind(rawValue: try reader.byte())
        try reader.require(kind != nil)
        var layout = Layout(kind ?? .stack)
        try layout.visit(&self)
        value = layout
    }

    mutating func group<Group: SettingGroup>(
        _ name: StaticString,
        _ value: inout Group,
        _ base: Group
    ) throws(SnapshotReader.Failure) {
        try value.visit(&self, base: base)
    }
}
