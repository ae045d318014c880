import CSQLite
import Locking

extension FaultyDisk {
    static func methods(of file: UnsafeMutablePointer<sqlite3_file>?) -> sqlite3_io_methods? {
        let address = state.withLock { $0.files[UInt(bitPattern: file)]?.methods }
        return address.flatMap { UnsafePointer<sqlite3_io_methods>(bitPattern: $0)?.pointee }
    }

    static func path(of file: UnsafeMutablePointer<sqlite3_file>?) -> String? {
        state.withLock { $0.files[UInt(bitPattern: file)]?.path }
    }

    static func sync(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32) -> Int32 {
        guard !fails(.sync, file) else { return SQLITE_IOERR | 4 << 8 }
        if let path = path(of: file) { PowerLoss.waited(path) }
        return methods(of: file)?.xSync(file, flags) ?? SQLITE_IOERR
    }

    static func truncate(_ file: UnsafeMutablePointer<sqlite3_file>?, _ size: Int64) -> Int32 {
        guard !fails(.truncate, file) else { return SQLITE_IOERR | 6 << 8 }
        if let path = path(of: file) { PowerLoss.truncated(path, Int(size)) }
        return methods(of: file)?.xTruncate(file, size) ?? SQLITE_IOERR
    }

    static func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        guard let methods = methods(of: file) else { return SQLITE_IOERR }
        // SQLite may use the memory again for another file as soon as this one is closed.
        state.withLock { _ = $0.files.removeValue(forKey: UInt(bitPattern: file)) }
        return methods.xClose(file)
    }

    static func write(
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ bytes: UnsafeRawPointer?,
        _ count: Int32,
        _ offset: Int64
    ) -> Int32 {
        guard let methods = methods(of: file) else { return SQLITE_IOERR }
        guard fails(.write, file) else {
            let code = methods.xWrite(file, bytes, count, offset)
            if code == SQLITE_OK, let path = path(of: file) { PowerLoss.wrote(path, bytes, Int(count), Int(offset)) }
            return code
        }
        let tears = state.withLock { $0.fault?.tears ?? false }
        if tears { _ = methods.xWrite(file, bytes, count / 2, offset) }
        return tears ? SQLITE_IOERR | 3 << 8 : SQLITE_FULL
    }

    /// Counts an operation, and says whether it is one that fails.
    static func fails(_ operation: Fault.Operation, _ file: UnsafeMutablePointer<sqlite3_file>?) -> Bool {
        state.withLock { state in
            guard let fault = state.fault, fault.operations.contains(operation),
                let path = state.files[UInt(bitPattern: file)]?.path, path.hasPrefix(state.folder + "/")
            else { return false }
            defer { state.seen += 1 }
            let fails = fault.lasts ? state.seen >= fault.successes : state.seen == fault.successes
            if fails { state.failed += 1 }
            return fails
        }
    }
}
