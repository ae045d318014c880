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

/// Standard output.
enum StandardOutput {
    /// Writes a line that is the result of a command. The command fails if it cannot be written, for example because the disk is full.
    static func write(line text: String) throws {
        try write(line: Array(text.utf8))
    }

    /// Writes a line that is the result of a command.
    static func write(line: [UInt8]) throws {
        guard let code = failure(writing: line) else { return }
        try fail("standard output: \(String(cString: strerror(code)))", status: 1)
    }

    /// Writes a line that only a person needs.
    static func write(lineIfRead text: String) {
        _ = failure(writing: Array(text.utf8))
    }

    /// Writes a line, and returns the error of the system; nil: there was none.
    private static func failure(writing line: [UInt8]) -> CInt? {
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}
