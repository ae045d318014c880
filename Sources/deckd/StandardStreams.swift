import Glibc

/// Standard error.
enum StandardError {
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            // A failure to write an error cannot be reported.
            _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}

/// Standard output, for commands whose result it is.
enum StandardOutput {
    /// Writes a line. The command fails if it cannot be written, for example because the disk is full.
    static func write(line text: String) throws {
        try write(line: Array(text.utf8))
    }

    /// Writes a line.
    static func write(line: [UInt8]) throws {
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { try fail("standard output: \(String(cString: strerror(errno)))", status: 1) }
            rest = rest.dropFirst(count)
        }
    }
}

/// Flushes the standard output, which is buffered if it is a pipe.
func flushStandardOutput() {
    fflush(nil)
}
