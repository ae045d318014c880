import Configuration

extension Setting {
    /// Any text.
    static func text(
        _ key: String,
        _ fallback: String,
        _ place: any WritableKeyPath<Settings, String> & Sendable
    ) -> Setting {
        Setting(
            key: key,
            fallback: .string(fallback),
            take: { (settings, reader) throws(SettingsError) in
                settings[keyPath: place] = try read(key, reader)
            },
            show: { quoted($0[keyPath: place]) }
        )
    }

    /// A whole number within a range.
    static func number(
        _ key: String,
        _ fallback: Int,
        _ range: ClosedRange<Int>,
        _ place: any WritableKeyPath<Settings, Int> & Sendable
    ) -> Setting {
        Setting(
            key: key,
            fallback: .int(fallback),
            take: { (settings, reader) throws(SettingsError) in
                let rule = "\(key) must be a whole number from \(range.lowerBound) to \(range.upperBound)"
                guard let number = try? reader.requiredInt(forKey: ConfigKey(key)) else { throw SettingsError(rule) }
                guard range.contains(number) else { throw SettingsError("\(rule), not \(number)") }
                settings[keyPath: place] = number
            },
            show: { "\($0[keyPath: place])" }
        )
    }

    /// True or false.
    static func flag(
        _ key: String,
        _ fallback: Bool,
        _ place: any WritableKeyPath<Settings, Bool> & Sendable
    ) -> Setting {
        Setting(
            key: key,
            fallback: .bool(fallback),
            take: { (settings, reader) throws(SettingsError) in
                guard let flag = try? reader.requiredBool(forKey: ConfigKey(key)) else {
                    throw SettingsError("\(key) must be true or false")
                }
                settings[keyPath: place] = flag
            },
            show: { "\($0[keyPath: place])" }
        )
    }

    /// One of the names of a type's cases.
    static func choice<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String,
        _ fallback: Word,
        _ place: any WritableKeyPath<Settings, Word> & Sendable
    ) -> Setting {
        Setting(
            key: key,
            fallback: .string(fallback.rawValue),
            take: { (settings, reader) throws(SettingsError) in
                let word = try read(key, reader)
                guard let value = Word(rawValue: word) else {
                    let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
                    throw SettingsError("\(key) must be one of \(words), not \(word)")
                }
                settings[keyPath: place] = value
            },
            show: { $0[keyPath: place].rawValue }
        )
    }

    private static func read(_ key: String, _ reader: ConfigReader) throws(SettingsError) -> String {
        do {
            return try reader.requiredString(forKey: ConfigKey(key))
        } catch {
            throw SettingsError("\(key) must be a string")
        }
    }

    /// The text in YAML: with quotes if it would otherwise be a number, a truth value or a mapping.
    private static func quoted(_ text: String) -> String {
        let isName = text.wholeMatch(of: /[A-Za-z\/:]([A-Za-z0-9._\/:\-]*[A-Za-z0-9._\/\-])?/) != nil && text != ":"
        let isAddress = text.wholeMatch(of: /[0-9]+(\.[0-9]+){2,}/) != nil
        let isWord = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        guard isWord || !isName && !isAddress else { return text }
        return "'" + text.replacing("'", with: "''") + "'"
    }
}
