import Foundation

extension JournalFile {
    /// The path of a file without symbolic links. The file may not exist yet.
    static func resolved(_ path: String) -> String {
        let path = path.hasPrefix("/") ? path : "./" + path
        if let real = realPath(path) { return real }
        let isMissing = errno == ENOENT
        let folder = folder(of: path)
        if isMissing, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
            return resolved(target.hasPrefix("/") ? target : "\(folder)/\(target)")
        }
        guard let realFolder = realPath(folder) else { return path }
        return "\(realFolder)/\(URL(fileURLWithPath: path).lastPathComponent)"
    }

    /// The folder of a file.
    static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// The path without symbolic links; nil if there is no such file.
    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
