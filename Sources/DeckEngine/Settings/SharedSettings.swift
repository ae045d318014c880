/// Settings that copies share: all sessions of a deck have the same.
struct SharedSettings: Sendable, Hashable {
    private let shared: Shared<DeckSettings>
    #if !hasFeature(Embedded)
    /// The settings as a snapshot has them. Making this takes longer than all else that most snapshots have.
    let snapshot: [UInt8]
    #endif

    init(_ settings: DeckSettings) {
        shared = Shared(settings)
        #if !hasFeature(Embedded)
        var writer = SnapshotWriter()
        writer.write(settings)
        snapshot = writer.bytes
        #endif
    }

    var settings: DeckSettings {
        @inline(__always) unsafeAddress { address }
    }

    /// Where the settings are.
    var address: UnsafePointer<DeckSettings> { shared.address }

    static func == (left: SharedSettings, right: SharedSettings) -> Bool {
        left.shared.isIdentical(to: right.shared) || left.settings == right.settings
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(settings)
    }
}
