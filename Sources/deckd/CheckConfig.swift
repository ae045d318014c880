import ArgumentParser
import DeckJournal
import DeckService

/// Prints the settings that `serve` would use, or what is wrong with them.
struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Checks the configuration and prints it as it is in effect."
    )

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let settings = try options.settings()
        do throws(SettingsError) {
            try settings.checkListeners()
        } catch {
            try fail(error.description, status: 2)
        }
        try StandardOutput.write(line: settings.lines.joined(separator: "\n"))
        // The configuration has no place for these, so they are comments in it.
        for key in settings.service.apiKeys {
            let rights = KeyLine.rights(key)
            let state = key.hasExpired(at: .now()) ? " (expired)" : ""
            try StandardOutput.write(line: "# API key \(key.name): \(rights.isEmpty ? "everything" : rights)\(state)")
        }
    }
}
