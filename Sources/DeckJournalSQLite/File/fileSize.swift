import Foundation

/// The size of a file in bytes; 0 if there is none.
func fileSize(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
}
