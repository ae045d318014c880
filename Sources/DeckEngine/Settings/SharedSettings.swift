/// Settings that copies share: all sessions of a deck have the same.
struct SharedSettings: Sendable, Hashable {
    /// Unchecked because nothing changes after the initialization. The settings are behind a pointer, because a stored property
    /// of a class is copied when it is read.
    private final class Storage: @unchecked Sendable {
        let settings: UnsafeMutablePointer<DeckSettings>
        /// The settings as a snapshot has them. Making this takes longer than all else that most snapshots have.
        let snapshot: [UInt8]

        init(_ settings: DeckSettings) {
            self.settings = .allocate(capacity: 1)
            self.settings.initialize(to: settings)
            var writer = SnapshotWriter()
            writer.write(settings)
            snapshot = writer.bytes
        }

        deinit {
            settings.deinitialize(count: 1)
            settings.deallocate()
        }
    }

    private let storage: Storage

    init(_ settings: DeckSettings) {
        storage = Storage(settings)
    }

    var settings: DeckSettings {
        @inline(__always) unsafeAddress { UnsafePointer(storage.settings) }
    }

    /// The settings as a snapshot has them.
    var snapshot: [UInt8] { storage.snapshot }

    static func == (left: SharedSettings, right: SharedSettings) -> Bool {
        left.storage === right.storage || left.settings == right.settings
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(settings)
    }
}
