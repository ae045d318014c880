/// Settings that copies share: all sessions of a deck have the same.
struct SharedSettings: Sendable, Hashable {
    private struct Content {
        let settings: DeckSettings
        #if !hasFeature(Embedded)
        /// The settings as a snapshot has them. Making this takes longer than all else that most snapshots have.
        let snapshot: [UInt8]
        #endif
    }

    private let shared: Shared<Content>

    init(_ settings: DeckSettings) {
        #if hasFeature(Embedded)
        shared = Shared(Content(settings: settings))
        #else
        var writer = SnapshotWriter()
        writer.write(settings)
        shared = Shared(Content(settings: settings, snapshot: writer.bytes))
        #endif
    }

    var settings: DeckSettings {
        @inline(__always) _read { yield shared.value.settings }
    }

    #if !hasFeature(Embedded)
    /// The settings as a snapshot has them.
    var snapshot: [UInt8] { shared.value.snapshot }
    #endif

    static func == (left: SharedSettings, right: SharedSettings) -> Bool {
        left.shared.isIdentical(to: right.shared) || left.settings == right.settings
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(settings)
    }
}
