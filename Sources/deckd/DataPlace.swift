import DeckJournalPostgreSQL

/// Where decks and sessions are stored.
enum DataPlace: Hashable {
    case memory
    /// A file of SQLite.
    case file(String)
    /// Databases of PostgreSQL, by their addresses; at least one.
    case databases([String])

    /// - Parameter text: the setting `data`.
    init(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        if text == ":memory:" {
            self = .memory
        } else if !words.isEmpty, words.allSatisfy({ $0.starts(with: /postgres(ql)?:\/\//) }) {
            self = .databases(words)
        } else {
            self = .file(text)
        }
    }

    private static let mostDatabases = 64

    /// Refuses a string that names no place.
    ///
    /// - Parameter name: the name of the setting or the option.
    static func check(_ text: String, of name: String) throws(SettingsError) {
        switch DataPlace(text) {
        case .memory: break
        case .file(let path):
            guard !path.allSatisfy(\.isWhitespace) else {
                throw SettingsError(
                    "\(name) must be a file, :memory: or the address of a PostgreSQL database, not \(String(reflecting: text))"
                )
            }
            // The message does not quote what can have a password.
            let hasKeyword = path.contains(/(^|\s)(host|hostaddr|port|dbname|user|password|service)\s*=/)
            guard !hasKeyword, !path.contains("://") else { throw malformed(name) }
        case .databases(let addresses):
            guard addresses.count <= mostDatabases else {
                let count = addresses.count
                throw SettingsError("\(name): there are \(count) databases, and at most \(mostDatabases) are possible")
            }
            for address in addresses {
                guard !address.dropFirst().contains(/postgres(ql)?:\/\//) else { throw malformed(name) }
                if let problem = PostgreSQLJournal.problem(of: address) { throw SettingsError("\(name): \(problem)") }
            }
        }
    }

    private static func malformed(_ name: String) -> SettingsError {
        SettingsError(
            "\(name): the address of a database must begin with postgres://, and several must be separated by spaces"
        )
    }

    /// The place as it is shown, with `***` for each password.
    ///
    /// - Parameter text: the setting `data`.
    static func withoutPasswords(_ text: String) -> String {
        guard case .databases(let addresses) = DataPlace(text) else { return text }
        return addresses.map { address in
            address.replacing(/^([^\/]*:\/\/[^@\/:]*:)[^@\/]*@/) { "\($0.1)***@" }
                .replacing(/([?&](ssl)?password=)[^&]*/) { "\($0.1)***" }
        }
        .joined(separator: " ")
    }
}
