import Foundation
import Yams

/// Finds what the library that reads the settings would pass over: keys that no setting has.
enum SettingsFile {
    /// A larger file is none of ours.
    private static let largestBytes = 1 << 20

    /// Checks that a file can be read, is YAML, and holds nothing unknown.
    static func check(_ path: String) throws(SettingsError) {
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: largestBytes + 1)
        else {
            if FileManager.default.isReadableFile(atPath: path) { return }
            throw SettingsError("the configuration file \(path) cannot be read")
        }
        guard data.count <= largestBytes else {
            throw SettingsError("the configuration file \(path) is longer than \(largestBytes) bytes")
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: String(decoding: data, as: UTF8.self))
        } catch {
            let reason = "\(error)".split(separator: "\n").first.map(String.init) ?? ""
            throw SettingsError("the configuration file \(path) is not YAML: \(reason)")
        }
        if let root { try check(root, under: [], in: path) }
    }

    private static func check(_ node: Node, under parents: [String], in path: String) throws(SettingsError) {
        guard case .mapping(let mapping) = node else {
            throw SettingsError("\(path): \(parents.joined(separator: ".")) must hold settings by name")
        }
        for (key, value) in mapping {
            let names = parents + [key.string ?? "?"]
            let name = names.joined(separator: ".")
            if Setting.all.contains(where: { $0.key == name }) { continue }
            let line = key.mark.map { ":\($0.line)" } ?? ""
            guard Setting.all.contains(where: { $0.key.hasPrefix(name + ".") }) else {
                throw SettingsError("\(path)\(line): there is no setting \(name)")
            }
            try check(value, under: names, in: path)
        }
    }

    /// Checks that every variable that begins as ours do is one of ours.
    static func checkEnvironment() throws(SettingsError) {
        let known = Set(Setting.all.map(\.environmentVariable))
        let unknown = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("DECKD_") && !known.contains($0) }
        if let name = unknown.min() {
            throw SettingsError("the environment variable \(name) is no setting")
        }
    }
}
