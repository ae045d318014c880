import ArgumentParser

/// Prints the settings that `serve` would use, or what is wrong with them.
struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Checks the configuration and prints it as it is in effect."
    )

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let settings = try await options.settings()
        print(settings.lines.joined(separator: "\n"))
    }
}
