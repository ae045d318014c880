import ArgumentParser
import DeckJournal
import DeckService

/// Makes an API key.
struct Key: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Creates an API key and its line for the file of access.keysFile.",
        discussion: """
            The key is written to the standard error and is not stored: give it to the app's back end. The line is written to the \
            standard output, so `deckd key NAME >> FILE` adds it to the file. It has the key's name and its SHA-256 hash, and its \
            scopes and expiry, if it has any. deckd reads the file when it starts and on SIGHUP. The variable DECKD_ACCESS_KEYS \
            can have such lines, too, separated by commas.
            """
    )

    @Argument(help: "The name of the key: 1 to 64 letters, digits, - and _.")
    var name: String

    @Option(help: "What the key allows: some of decks,sessions,feed,operate. (default: everything)")
    var scopes: String?

    @Option(help: "When the key expires: 2027-01-31, or 2027-01-31T12:00:00Z. (default: never)")
    var expires: String?

    func run() throws {
        var allowed: KeyScopes?
        var expiry: WallTime?
        do throws(SettingsError) {
            allowed = try scopes.map { text throws(SettingsError) in
                try KeyLine.scopes(text.split(separator: ",", omittingEmptySubsequences: false), at: "--scopes")
            }
            expiry = try expires.map { text throws(SettingsError) in try KeyLine.expiry(text[...], at: "--expires") }
            if let expiry, expiry.milliseconds <= WallTime.now().milliseconds {
                throw SettingsError("--expires: \(expiry.text) is in the past, so the key would never be valid")
            }
        } catch {
            try fail(error.description, status: 2)
        }
        guard let (key, secret) = APIKey.make(name: name, scopes: allowed ?? .all, expiry: expiry) else {
            try fail("the name of a key must be 1 to 64 letters, digits, - and _", status: 2)
        }
        // The line comes first: a key without it would be useless.
        try StandardOutput.write(line: KeyLine.text(key))
        StandardError.write(
            """
            key: \(secret)
            The key is not stored: give it to the app's back end. The line on the standard output is for access.keysFile.

            """
        )
    }
}
