import ArgumentParser
import DeckService

/// Makes an API key.
struct Key: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Creates an API key and prints it, with the line for the file of access.keysFile.",
        discussion: """
            The key is printed once and is not stored: give it to the app's back end. The line has the key's name and its \
            SHA-256 hash. deckd reads the file when it starts and on SIGHUP. The variable DECKD_ACCESS_KEYS can have such \
            lines, too, separated by commas.
            """
    )

    @Argument(help: "The name of the key: 1 to 64 letters, digits, - and _.")
    var name: String

    func run() throws {
        guard let (key, secret) = APIKey.make(name: name) else {
            try fail("the name of a key must be 1 to 64 letters, digits, - and _", status: 2)
        }
        print("key: \(secret)")
        print("line: \(key.name) \(key.hashText)")
    }
}
