import Glibc
import Yams

/// The configuration file, and the files that it names.
enum SettingsFile {
    /// The maximum size of a configuration file.
    private static let largestBytes = 1 << 20

    /// The values of a file by the keys of their settings. An empty file, or one with only comments, has none.
    ///
    /// - Throws: if the file cannot be read, is not YAML, or has anything but known settings.
    static func values(in path: String) throws(SettingsError) -> [String: WrittenValue] {
        let text = try text(of: path, called: "the configuration file")
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch YamlError.duplicatedKeysInMapping(let names, let context) {
            throw SettingsError("\(path):\(context.mark.line): \(names[0]) occurs more than once")
        } catch {
            let reason = "\(error)".split(separator: "\n").first.map(String.init) ?? ""
            throw SettingsError("the configuration file \(path) is not YAML: \(reason)")
        }
        var values: [String: WrittenValue] = [:]
        guard let root, root.null == nil else { return values }
        guard case .mapping(let settings) = root else {
            throw SettingsError("the configuration file \(path) must contain settings by name")
        }
        try read(settings, under: [], in: path, into: &values)
        return values
    }

    /// The text of a file with settings or with the value of one.
    ///
    /// - Parameter name: the name of the file in error messages.
    static func text(of path: String, called name: String) throws(SettingsError) -> String {
        guard let bytes = bytes(of: path) else {
            throw SettingsError("\(name) \(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        guard bytes.count <= largestBytes else {
            throw SettingsError("\(name) \(path) is longer than \(largestBytes) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsError("\(name) \(path) is not UTF-8")
        }
        return text
    }

    /// The bytes of a file, at most one more than a file may have; nil: it cannot be read, and `errno` has the reason.
    private static func bytes(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: largestBytes + 1) { bytes, count in
            count = fread(bytes.baseAddress, 1, bytes.count, file)
        }
        return ferror(file) == 0 ? bytes : nil
    }

    private static func read(
        _ mapping: Node.Mapping,
        under parents: [String],
        in path: String,
        into values: inout [String: WrittenValue]
    ) throws(SettingsError) {
        for (key, value) in mapping {
            let names = parents + [key.string ?? "?"]
            let name = names.joined(separator: ".")
            let place = path + (key.mark.map { ":\($0.line)" } ?? "")
            if Setting.all.contains(where: { $0.key == name }) {
                guard case .scalar(let scalar) = value else {
                    throw SettingsError("\(place): \(name) must be a single value")
                }
                // A name can be one key with points, or several keys.
                guard values.updateValue(WrittenValue(scalar, at: place), forKey: name) == nil else {
                    throw SettingsError("\(place): \(name) occurs more than once")
                }
            } else if Setting.all.contains(where: { $0.key.hasPrefix(name + ".") }) {
                guard case .mapping(let inner) = value else {
                    throw SettingsError("\(place): \(name) must contain settings by name")
                }
                try read(inner, under: names, in: path, into: &values)
            } else {
                throw SettingsError("\(place): unknown setting \(name)")
            }
        }
    }
}
