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

/// Flushes the standard output, which is buffered if it is a pipe.
func flushStandardOutput() {
    fflush(nil)
}
