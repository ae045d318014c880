import CSQLite
import Locking

/// SQLite's way to the disk, on which the Nth operation under a folder can be made to fail.
///
/// It is put between SQLite and its own way for the whole process, and changes nothing unless it is armed.
enum FaultyDisk {
    /// What fails.
    struct Fault: Sendable, CustomStringConvertible {
        enum Operation: Sendable { case write, sync, truncate, mapSharedMemory }

        /// The operations that count and fail.
        var operations: [Operation]
        /// How many of them succeed before the first that fails.
        var successes: Int
        /// Whether all after it fail too.
        var lasts: Bool
        /// Whether a write that fails has written the half of it.
        var tears = false

        var description: String {
            "\(operations) after \(successes)\(lasts ? ", lasting" : "")\(tears ? ", torn" : "")"
        }
    }

    struct State {
        var folder = ""
        var fault: Fault?
        var seen = 0
        var failed = 0
        /// By the address of each open file: its path, and the functions that are really its own.
        var files: [UInt: (path: String, methods: UInt)] = [:]
        /// By the address of a set of functions: the set that comes before it.
        var shims: [UInt: UInt] = [:]
    }

    static let state = Lock(State())

    /// From now on the fault is on; it starts counting anew.
    static func arm(_ fault: Fault, under folder: String) {
        install()
        state.withLock { state in
            state.folder = folder
            state.fault = fault
            state.seen = 0
            state.failed = 0
        }
    }

    /// The disk is sound again. Says how many operations have failed.
    @discardableResult
    static func disarm() -> Int {
        state.withLock { state in
            state.fault = nil
            return state.failed
        }
    }

    /// Files opened from now on can fail.
    static func install() {
        _ = installed
    }

    private static let installed: Bool = {
        guard let original = sqlite3_vfs_find(nil) else { return false }
        let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        copy.initialize(to: original.pointee)
        originalAddress.withLock { $0 = UInt(bitPattern: original) }
        copy.pointee.xOpen = { _, name, file, flags, outFlags in
            FaultyDisk.open(name, file, flags, outFlags)
        }
        return sqlite3_vfs_register(copy, 1) == SQLITE_OK
    }()

    private static let originalAddress = Lock(UInt(0))

    private static func open(
        _ name: sqlite3_filename?,
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        let address = originalAddress.withLock { $0 }
        guard let original = UnsafeMutablePointer<sqlite3_vfs>(bitPattern: address), let file else {
            return SQLITE_CANTOPEN
        }
        let code = original.pointee.xOpen(original, name, file, flags, outFlags)
        guard code == SQLITE_OK, let methods = file.pointee.pMethods else { return code }
        let path = name.map { String(cString: $0) } ?? ""
        PowerLoss.opened(path)
        state.withLock { state in
            let real = UInt(bitPattern: methods)
            state.files[UInt(bitPattern: file)] = (path, real)
            let shim = state.shims[real] ?? UInt(bitPattern: makeShim(over: methods))
            state.shims[real] = shim
            file.pointee.pMethods = UnsafePointer(bitPattern: shim)
        }
        return code
    }

    private static func makeShim(over methods: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<sqlite3_io_methods> {
        let shim = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        shim.initialize(to: methods.pointee)
        shim.pointee.xClose = { FaultyDisk.close($0) }
        shim.pointee.xWrite = { FaultyDisk.write($0, $1, $2, $3) }
        shim.pointee.xSync = { FaultyDisk.sync($0, $1) }
        shim.pointee.xTruncate = { FaultyDisk.truncate($0, $1) }
        shim.pointee.xShmMap = { file, page, size, extends, mapped in
            guard !FaultyDisk.fails(.mapSharedMemory, file) else { return SQLITE_IOERR | 21 << 8 }
            return FaultyDisk.methods(of: file)?.xShmMap(file, page, size, extends, mapped) ?? SQLITE_IOERR
        }
        return UnsafePointer(shim)
    }
}
