extension Setting {
    /// Any text.
    ///
    /// - Parameter form: the text as it is shown.
    static func text(
        _ key: String,
        _ property: any WritableKeyPath<Settings, String> & Sendable,
        shown form: @escaping @Sendable (String) -> String = { $0 }
    ) -> Setting {
        Setting(key, property, rule: "a string", read: \.string, show: { quoted(form($0)) })
    }

    /// A whole number within a range.
    static func number(
        _ key: String,
        _ range: ClosedRange<Int>,
        _ property: any WritableKeyPath<Settings, Int> & Sendable
    ) -> Setting {
        Setting(
            key,
            property,
            rule: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { value in value.integer.flatMap { range.contains($0) ? $0 : nil } },
            show: { "\($0)" }
        )
    }

    /// True or false.
    static func flag(
        _ key: String,
        _ property: any WritableKeyPath<Settings, Bool> & Sendable
    ) -> Setting {
        Setting(key, property, rule: "true or false", read: \.boolean, show: { "\($0)" })
    }

    /// One of the names of a type's cases.
    static func choice<Word: RawRepresentable<String> & CaseIterable & Sendable & Equatable>(
        _ key: String,
        _ property: any WritableKeyPath<Settings, Word> & Sendable
    ) -> Setting {
        Setting(
            key,
            property,
            rule: "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))",
            read: { $0.string.flatMap(Word.init) },
            show: \.rawValue
        )
    }

    /// - Parameters:
    ///   - rule: what its values are, for messages.
    ///   - read: nil for a value against the rule.
    ///   - show: the value in YAML.
    private init<Value: Sendable & Equatable>(
        _ key: String,
        _ property: any WritableKeyPath<Settings, Value> & Sendable,
        rule: String,
        read: @escaping @Sendable (WrittenValue) -> Value?,
        show: @escaping @Sendable (Value) -> String
    ) {
        self.init(
            key: key,
            take: { (settings, written) throws(SettingsError) in
                guard let value = read(written) else {
                    throw SettingsError("\(written.place): \(key) must be \(rule), not \(written.quotation)")
                }
                settings[keyPath: property] = value
            },
            show: { show($0[keyPath: property]) },
            differs: { $0[keyPath: property] != $1[keyPath: property] }
        )
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
