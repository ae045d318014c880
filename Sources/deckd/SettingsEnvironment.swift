import Foundation

/// The environment variables of the settings.
enum SettingsEnvironment {
    /// The values of the variables `DECKD_…` by the keys of their settings.
    ///
    /// - Throws: for a variable that is not a setting.
    static func values() throws(SettingsError) -> [String: WrittenValue] {
        let keys = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.environmentVariable, $0.key) })
        var values: [String: WrittenValue] = [:]
        for (name, value) in ProcessInfo.processInfo.environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix("DECKD_") {
            guard let key = keys[name] else { throw SettingsError("the environment variable \(name) is not a setting") }
            values[key] = WrittenValue(value, at: name)
        }
        return values
    }
}
