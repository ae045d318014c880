import Foundation
import Yams

/// Finds keys that are not settings, which the library that reads the settings would ignore.
enum SettingsFile {
    /// The maximum size of a configuration file.
    private static let largestBytes = 1 << 20

    /// Checks that a file can be read, is YAML, and has only known settings.
    ///
    /// - Returns: whether it has any setting. An empty file, or one with only comments, has none.
    static func check(_ path: String) throws(SettingsError) -> Bool {
        let text = try text(of: path, called: "the configuration file")
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            let reason = "\(error)".split(separator: "\n").first.map(String.init) ?? ""
            throw SettingsError("the configuration file \(path) is not YAML: \(reason)")
        }
        guard let root, root.null == nil else { return false }
        guard case .mapping(let settings) = root else {
            throw SettingsError("the configuration file \(path) must contain settings by name")
        }
        try check(settings, under: [], in: path)
        return true
    }

    /// The text of a file with settings or with the value of one.
    ///
    /// - Parameter name: the name of the file in error messages.
    static func text(of path: String, called name: String) throws(SettingsError) -> String {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw SettingsError("\(name) \(path) cannot be read")
        }
        let data: Data
        do {
            data = try handle.read(upToCount: largestBytes + 1) ?? Data()
        } catch {
            throw SettingsError("\(name) \(path) cannot be read")
        }
        guard data.count <= largestBytes else {
            throw SettingsError("\(name) \(path) is longer than \(largestBytes) bytes")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw SettingsError("\(name) \(path) is not UTF-8")
        }
        return text
    }

    private static func check(
        _ mapping: Node.Mapping,
        under parents: [String],
        in path: String
    ) throws(SettingsError) {
        for (key, value) in mapping {
            let names = parents + [key.string ?? "?"]
            let name = names.joined(separator: ".")
            let place = path + (key.mark.map { ":\($0.line)" } ?? "")
            if Setting.all.contains(where: { $0.key == name }) {
                // The library that reads the settings would use the default for anything else.
                guard case .scalar = value else { throw SettingsError("\(place): \(name) must be a single value") }
            } else if Setting.all.contains(where: { $0.key.hasPrefix(name + ".") }) {
                guard case .mapping(let inner) = value else {
                    throw SettingsError("\(place): \(name) must contain settings by name")
                }
                try check(inner, under: names, in: path)
            } else {
                throw SettingsError("\(place): unknown setting \(name)")
            }
        }
    }

    /// Checks that every environment variable `DECKD_…` is a setting.
    static func checkEnvironment() throws(SettingsError) {
        let known = Set(Setting.all.map(\.environmentVariable))
        let unknown = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("DECKD_") && !known.contains($0) }
        if let name = unknown.min() {
            throw SettingsError("the environment variable \(name) is not a setting")
        }
    }
}
