/// A value in a snapshot. It is written in the latest format and read in any.
protocol Snapshotted {
    func write(to writer: inout SnapshotWriter)
    init(from reader: inout SnapshotReader) throws(SnapshotReader.Failure)
}

/// The formats of snapshots. The tests have a file of each.
enum SnapshotFormat: UInt8, CaseIterable {
    /// Everything in a fixed order, cards by their indices.
    case first = 1
    /// Sections with lengths, cards by their identities, settings by their names.
    case second = 2

    static let latest = SnapshotFormat.second
}

/// Why bytes cannot be read as a snapshot.
public enum SnapshotError: Error, Sendable, Hashable {
    /// They end too early, or have an invalid value.
    case damaged
    /// They were written by a later version, in a format that this one does not know.
    #if hasFeature(Embedded)
    case unknownFormat
    #else
    case unknownFormat(Int)
    #endif
    #if !hasFeature(Embedded)
    /// They hold a setting that this version does not know.
    case unknownSetting(String)
    #endif
    /// The cards are neither in the snapshot nor passed separately.
    case cardsMissing
}
