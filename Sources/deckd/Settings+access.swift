import DeckJournal
import DeckService
import Logging
import MicroHTTP

extension Settings {
    /// The maximum number of keys. Every request is compared with each of them.
    private static let mostKeys = 1000

    /// The API keys of the file and of the setting, together.
    func apiKeys() throws(SettingsError) -> [APIKey] {
        let entries = try keysOfFile() + keysOfSetting()
        var names: Set<String> = []
        var hashes: Set<String> = []
        for (count, (place, key)) in zip(1..., entries) {
            guard count <= Self.mostKeys else {
                throw SettingsError("\(place): there are more than \(Self.mostKeys) API keys")
            }
            guard names.insert(key.name).inserted else {
                throw SettingsError("\(place): there is another API key with the name \(key.name)")
            }
            guard hashes.insert(key.hashText).inserted else {
                throw SettingsError("\(place): the API key \(key.name) is the same as another one")
            }
        }
        return entries.map(\.key)
    }

    /// A key, and where it is written.
    private typealias PlacedKey = (place: String, key: APIKey)

    private func keysOfFile() throws(SettingsError) -> [PlacedKey] {
        guard !keysFile.isEmpty else { return [] }
        let name = "\(title(of: "access.keysFile")): the file"
        let text = try SettingsFile.text(of: keysFile, called: name)
        var keys: [PlacedKey] = []
        for (number, line) in zip(1..., text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)) {
            let content = line.prefix { $0 != "#" }
            guard !Self.isBlank(content) else { continue }
            let place = "\(keysFile):\(number)"
            keys.append((place, try KeyLine.key(content, at: place)))
        }
        guard !keys.isEmpty else { throw SettingsError("\(name) \(keysFile) holds no key") }
        return keys
    }

    private func keysOfSetting() throws(SettingsError) -> [PlacedKey] {
        guard !Self.isBlank(keysText) else { return [] }
        var keys: [PlacedKey] = []
        for (number, entry) in zip(1..., keysText.split(separator: ",", omittingEmptySubsequences: false)) {
            let place = "\(title(of: "access.keys")):\(number)"
            keys.append((place, try KeyLine.key(entry, at: place)))
        }
        return keys
    }

    /// The origins whose scripts may read the answers, in the form in which browsers write them.
    func allowedOrigins() throws(SettingsError) -> [String] {
        guard !Self.isBlank(originsText) else { return [] }
        let origins = originsText.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
        if origins == ["*"] { return origins }
        let title = title(of: "access.allowedOrigins")
        for origin in origins {
            guard origin != "*" else { throw SettingsError("\(title) has * and others; * stands alone") }
            guard origin.wholeMatch(of: /[a-z][a-z0-9+.\-]*:\/\/[^\/?#@,*\sA-Z]+/) != nil else {
                throw SettingsError(
                    """
                    \(title) must have origins such as https://example.org, in small letters and without a path or a final /, \
                    not \(String(reflecting: origin))
                    """
                )
            }
        }
        return origins
    }

    /// The host names, besides those of loopback, under which a server without keys can be reached.
    func allowedHosts() throws(SettingsError) -> [String] {
        guard !Self.isBlank(hostsText) else { return [] }
        let hosts = hostsText.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
        for host in hosts where host.wholeMatch(of: /[A-Za-z0-9._-]+/) == nil {
            throw SettingsError(
                """
                \(title(of: "access.allowedHosts")) must have names such as deckd.example.org, without a port, not \
                \(String(reflecting: host))
                """
            )
        }
        return hosts
    }

    /// Ranges of addresses, separated by commas.
    ///
    /// - Parameter title: the title of the setting.
    static func addressRanges(_ text: String, of title: String) throws(SettingsError) -> [AddressRange] {
        guard !isBlank(text) else { return [] }
        var ranges: [AddressRange] = []
        for entry in text.split(separator: ",", omittingEmptySubsequences: false).map(trimmed) {
            guard let range = AddressRange(entry) else {
                throw SettingsError(
                    """
                    \(title) must have addresses and ranges such as 10.0.0.0/8 or 2001:db8::/32, not \
                    \(String(reflecting: entry))
                    """
                )
            }
            ranges.append(range)
        }
        return ranges
    }

    private static func isBlank(_ text: some StringProtocol) -> Bool {
        text.allSatisfy { $0 == " " || $0 == "\t" }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { String(start[...$0]) } ?? ""
    }

    /// Logs which API keys have expired already.
    func warnOfExpiredKeys(_ logger: Logger) {
        let names = service.apiKeys.filter { $0.hasExpired(at: .now()) }.map(\.name)
        guard !names.isEmpty else { return }
        logger.warning("API keys have expired", metadata: ["keys": "\(names.joined(separator: ", "))"])
    }
}
