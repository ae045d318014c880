import Glibc

/// The place for what is not the command's output.
enum StandardError {
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            // Nobody could be told that the telling failed.
            _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}

/// Sends what was printed on its way, also where the output is a pipe.
func flushStandardOutput() {
    fflush(nil)
}
