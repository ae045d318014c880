import CSQLite
import Foundation
import Locking
import RandomTesting

/// A disk that loses its power at a chosen wait for it: of the writes that no wait has covered yet, some are lost, some
/// are torn, and the others arrive in any order.
///
/// It is put between SQLite and its own way to the disk, under a separate name that is the default while it
/// is installed. Files under the chosen folder are followed: each write since the file's last wait is remembered, so
/// that an image of the disk can be made in which any of them is missing.
enum PowerLoss {
    /// A change of a file that the disk may not have yet.
    private enum Change {
        case write(offset: Int, bytes: [UInt8])
        case truncate(size: Int)
    }

    /// A file as the disk certainly has it, and the changes since.
    private struct File {
        var durable: [UInt8] = []
        var pending: [Change] = []
    }

    private struct State {
        var folder = ""
        var files: [String: File] = [:]
        /// How many waits are still granted; nil: the power does not fail.
        var remainingWaits: Int?
        var image: [String: [UInt8]]?
        var random = SeededNumbers(seed: 0)
    }

    private static let state = Lock(State())

    /// Follows the files under a folder. The power fails at the wait after this number, in a way that follows from a seed.
    static func arm(under folder: String, atWait wait: Int, seed: UInt64) {
        state.withLock { $0 = State(folder: folder, remainingWaits: wait, random: SeededNumbers(seed: seed)) }
    }

    /// What was on the disk when the power failed, by the names of the files; nil: it has not failed.
    static var image: [String: [UInt8]]? { state.withLock { $0.image } }

    static func disarm() { state.withLock { $0 = State() } }

    static func opened(_ path: String) {
        state.withLock { state in
            guard path.hasPrefix(state.folder + "/"), !state.folder.isEmpty, state.files[path] == nil else { return }
            let content = FileManager.default.contents(atPath: path).map(Array.init) ?? []
            state.files[path] = File(durable: content)
        }
    }

    static func wrote(_ path: String, _ bytes: UnsafeRawPointer?, _ count: Int, _ offset: Int) {
        let bytes = Array(UnsafeRawBufferPointer(start: bytes, count: count))
        state.withLock { $0.files[path]?.pending.append(.write(offset: offset, bytes: bytes)) }
    }

    static func truncated(_ path: String, _ size: Int) {
        state.withLock { $0.files[path]?.pending.append(.truncate(size: size)) }
    }

    /// A wait for the disk. The power fails before or after it is over.
    static func waited(_ path: String) {
        state.withLock { state in
            guard state.files[path] != nil, state.image == nil else { return }
            if let remaining = state.remainingWaits {
                state.remainingWaits = remaining - 1
                if remaining == 0 { return fail(&state) }
            }
            settle(path, &state)
        }
    }

    private static func settle(_ path: String, _ state: inout State) {
        guard var file = state.files[path] else { return }
        for change in file.pending { apply(change, to: &file.durable) }
        file.pending = []
        state.files[path] = file
    }

    private static func fail(_ state: inout State) {
        var image: [String: [UInt8]] = [:]
        var random = state.random
        for (path, file) in state.files.sorted(by: { $0.key < $1.key }) {
            var content = file.durable
            // All, none, or each with the chance of a half; and in any order.
            let chance = random.next() % 4
            for change in file.pending.shuffled(using: &random) {
                guard chance == 3 || (chance > 0 && random.next().isMultiple(of: 2)) else { continue }
                apply(torn(change, &random), to: &content)
            }
            image[path] = content
        }
        state.image = image
    }

    /// One write in four arrives only in part: some of its sectors of 512 bytes are lost.
    private static func torn(_ change: Change, _ random: inout SeededNumbers) -> Change {
        guard case .write(let offset, let bytes) = change, random.next().isMultiple(of: 4) else { return change }
        return .write(
            offset: offset,
            bytes: Array(bytes.prefix(Int(random.next() % UInt64(bytes.count / 512 + 1)) * 512))
        )
    }

    private static func apply(_ change: Change, to content: inout [UInt8]) {
        switch change {
        case .write(let offset, let bytes):
            let end = offset + bytes.count
            if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
            content.replaceSubrange(offset..<end, with: bytes)
        case .truncate(let size):
            if content.count > size { content.removeLast(content.count - size) }
        }
    }
}
