// A deck's settings in a snapshot.
//
// Each setting that differs from `DeckSettings()` is written with its name and the length of its value. So a new
// setting does not change the format. A default that changes in a later version needs a new format, whose reader starts
// from the new defaults.

extension DeckSettings: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        var settings = self
        // A visitor can be copied and the writer cannot, so the visitor has a pointer to it for as long as it visits.
        withUnsafeMutablePointer(to: &writer) { writer in
            var visitor = SettingSnapshotWriter(writer: writer)
            settings.visit(&visitor, base: DeckSettings())
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        var visitor = try SettingSnapshotReader(&reader)
        try visit(&visitor, base: DeckSettings())
        try visitor.finish()
    }
}

/// Writes the settings that differ from their bases.
private struct SettingSnapshotWriter: SettingVisitor {
    let writer: UnsafeMutablePointer<SnapshotWriter>

    private mutating func write<Value: Snapshotted & Equatable>(_ name: StaticString, _ value: Value, _ base: Value) {
        guard value != base else { return }
        writer.pointee.text(name)
        writer.pointee.section { $0.write(value) }
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool, _ base: Bool) {
        write(name, value, base)
    }

    mutating func integer(_ name: StaticString, _ value: inout Int, _ base: Int, in range: ClosedRange<Int>) {
        write(name, value, base)
    }

    mutating func number(_ name: StaticString, _ value: inout Double, _ base: Double, in range: ClosedRange<Double>) {
        write(name, value, base)
    }

    mutating func optionalNumber(
        _ name: StaticString,
        _ value: inout Double?,
        _ base: Double?,
        in range: ClosedRange<Double>
    ) {
        write(name, value, base)
    }

    mutating func choice<Choice: NamedChoice>(_ name: StaticString, _ value: inout Choice, _ base: Choice) {
        write(name, ChoiceNumber(number: value.rawValue), ChoiceNumber(number: base.rawValue))
    }

    mutating func curve(_ name: StaticString, _ value: inout Curve, _ base: Curve) {
        write(name, value, base)
    }

    mutating func directions(_ name: StaticString, _ value: inout Directions, _ base: Directions) {
        write(name, value, base)
    }

    mutating func optionalDirections(_ name: StaticString, _ value: inout Directions?, _ base: Directions?) {
        write(name, value, base)
    }

    mutating func sectors(_ name: StaticString, _ value: inout [Sector], _ base: [Sector]) {
        write(name, value, base)
    }

    mutating func playerEvents(_ name: StaticString, _ value: inout PlayerEvents, _ base: PlayerEvents) {
        write(name, value, base)
    }

    mutating func spring(_ name: StaticString, _ value: inout SpringSettings, _ base: SpringSettings) {
        write(name, value, base)
    }

    mutating func optionalSpring(
        _ name: StaticString,
        _ value: inout SpringSettings?,
        _ base: SpringSettings?,
        startingFrom start: SpringSettings
    ) {
        write(name, value, base)
    }

    mutating func numbers(
        _ name: StaticString,
        _ value: inout PerDirection<Double>,
        _ base: PerDirection<Double>,
        in range: ClosedRange<Double>
    ) {
        write(name, value, base)
    }

    mutating func ranges(
        _ name: StaticString,
        _ value: inout PerDirection<OverlayRange>,
        _ base: PerDirection<OverlayRange>,
        over range: OverlayRange
    ) {
        write(name, value, base)
    }

    mutating func layout(_ name: StaticString, _ value: inout Layout, _ base: Layout) {
        guard value != base else { return }
        writer.pointee.text(name)
        let start = writer.pointee.beginSection()
        writer.pointee.byte(value.kind.rawValue)
        value.visit(&self)
        writer.pointee.endSection(start)
    }

    mutating func group<Group: SettingGroup>(_ name: StaticString, _ value: inout Group, _ base: Group) {
        let before = writer.pointee.count
        writer.pointee.text(name)
        let start = writer.pointee.beginSection()
        value.visit(&self, base: base)
        if writer.pointee.count > start {
            writer.pointee.endSection(start)
        } else {
            writer.pointee.remove(from: before)
        }
    }
}

/// Reads settings by their names, and checks their ranges. Missing settings have their base values.
private struct SettingSnapshotReader: SettingVisitor {
    private let format: SnapshotFormat
    private var values: [(name: String, bytes: ArraySlice<UInt8>)] = []

    init(_ reader: inout SnapshotReader) throws(SnapshotError) {
        format = reader.format
        while !reader.isAtEnd {
            let name = try reader.read(String.self)
            let length = try reader.count()
            values.append((name, try reader.take(length)))
        }
    }

    /// - Throws: `unknownSetting` if no member has read a value.
    func finish() throws(SnapshotError) {
        if let (name, _) = values.first { throw .unknownSetting(name) }
    }

    private mutating func take<Value>(
        _ name: StaticString,
        _ body: (inout SnapshotReader) throws(SnapshotError) -> Value
    ) throws(SnapshotError) -> Value? {
        guard let position = values.firstIndex(where: { $0.name == name.description }) else { return nil }
        var reader = SnapshotReader(values.remove(at: position).bytes, format: format)
        let value = try body(&reader)
        try reader.requireEnd()
        return value
    }

    private mutating func read<Value: Snapshotted>(
        _ name: StaticString,
        _ value: inout Value,
        _ base: Value,
        _ isValid: (Value) -> Bool = { _ in true }
    ) throws(SnapshotError) {
        value = try take(name) { reader throws(SnapshotError) in try reader.read(Value.self) } ?? base
        guard isValid(value) else { throw .damaged }
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool, _ base: Bool) throws(SnapshotError) {
        try read(name, &value, base)
    }

    mutating func integer(
        _ name: StaticString,
        _ value: inout Int,
        _ base: Int,
        in range: ClosedRange<Int>
    ) throws(SnapshotError) {
        try read(name, &value, base, range.contains)
    }

    mutating func number(
        _ name: StaticString,
        _ value: inout Double,
        _ base: Double,
        in range: ClosedRange<Double>
    ) throws(SnapshotError) {
        try read(name, &value, base, range.contains)
    }

    mutating func optionalNumber(
        _ name: StaticString,
        _ value: inout Double?,
        _ base: Double?,
        in range: ClosedRange<Double>
    ) throws(SnapshotError) {
        try read(name, &value, base) { $0.map(range.contains) ?? true }
    }

    mutating func choice<Choice: NamedChoice>(
        _ name: StaticString,
        _ value: inout Choice,
        _ base: Choice
    ) throws(SnapshotError) {
        let number = try take(name) { reader throws(SnapshotError) in try reader.byte() } ?? base.rawValue
        guard let choice = Choice(rawValue: number) else { throw .damaged }
        value = choice
    }

    mutating func curve(_ name: StaticString, _ value: inout Curve, _ base: Curve) throws(SnapshotError) {
        try read(name, &value, base, Curve.named.contains)
    }

    mutating func directions(
        _ name: StaticString,
        _ value: inout Directions,
        _ base: Directions
    ) throws(SnapshotError) {
        try read(name, &value, base)
    }

    mutating func optionalDirections(
        _ name: StaticString,
        _ value: inout Directions?,
        _ base: Directions?
    ) throws(SnapshotError) {
        try read(name, &value, base)
    }

    mutating func sectors(_ name: StaticString, _ value: inout [Sector], _ base: [Sector]) throws(SnapshotError) {
        try read(name, &value, base) { $0.count <= SettingLimits.sectors }
    }

    mutating func playerEvents(
        _ name: StaticString,
        _ value: inout PlayerEvents,
        _ base: PlayerEvents
    ) throws(SnapshotError) {
        try read(name, &value, base)
    }

    mutating func spring(
        _ name: StaticString,
        _ value: inout SpringSettings,
        _ base: SpringSettings
    ) throws(SnapshotError) {
        try read(name, &value, base) { $0.isInRange }
    }

    mutating func optionalSpring(
        _ name: StaticString,
        _ value: inout SpringSettings?,
        _ base: SpringSettings?,
        startingFrom start: SpringSettings
    ) throws(SnapshotError) {
        try read(name, &value, base) { $0?.isInRange ?? true }
    }

    mutating func numbers(
        _ name: StaticString,
        _ value: inout PerDirection<Double>,
        _ base: PerDirection<Double>,
        in range: ClosedRange<Double>
    ) throws(SnapshotError) {
        try read(name, &value, base) { values in
            Direction.allCases.allSatisfy { values[$0].map(range.contains) ?? true }
        }
    }

    mutating func ranges(
        _ name: StaticString,
        _ value: inout PerDirection<OverlayRange>,
        _ base: PerDirection<OverlayRange>,
        over range: OverlayRange
    ) throws(SnapshotError) {
        try read(name, &value, base)
    }

    mutating func layout(_ name: StaticString, _ value: inout Layout, _ base: Layout) throws(SnapshotError) {
        value =
            try take(name) { reader throws(SnapshotError) in
                guard let kind = Layout.Kind(rawValue: try reader.byte()) else { throw .damaged }
                var layout = Layout(kind)
                var part = try SettingSnapshotReader(&reader)
                try layout.visit(&part)
                try part.finish()
                return layout
            } ?? base
    }

    mutating func group<Group: SettingGroup>(
        _ name: StaticString,
        _ value: inout Group,
        _ base: Group
    ) throws(SnapshotError) {
        value =
            try take(name) { reader throws(SnapshotError) in
                var group = base
                var part = try SettingSnapshotReader(&reader)
                try group.visit(&part, base: base)
                try part.finish()
                return group
            } ?? base
    }
}

/// The stable number of a choice.
private struct ChoiceNumber: Snapshotted, Equatable {
    var number: UInt8

    func write(to writer: inout SnapshotWriter) {
        writer.byte(number)
    }

    init(number: UInt8) {
        self.number = number
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        number = try reader.byte()
    }
}
