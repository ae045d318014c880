import DeckService
import MicroHTTP

extension Settings {
    /// The maximum number of keys. Every request is compared with each of them.
    private static let mostKeys = 1000

    /// The API keys of the file and of the setting, together.
    func apiKeys() throws(SettingsError) -> [APIKey] {
        var keys: [APIKey] = []
        if !keysFile.isEmpty {
            let text = try SettingsFile.text(of: keysFile, called: "the file of access.keysFile")
            keys = try Self.keys(ofLines: text, in: keysFile)
            guard !keys.isEmpty else { throw SettingsError("the file of access.keysFile, \(keysFile), holds no key") }
        }
        if !Self.isBlank(keysText) {
            for (number, entry) in zip(1..., keysText.split(separator: ",", omittingEmptySubsequences: false)) {
                keys.append(try KeyLine.key(entry, at: "access.keys:\(number)"))
            }
        }
        try Self.check(keys)
        return keys
    }

    private static func keys(ofLines text: String, in path: String) throws(SettingsError) -> [APIKey] {
        var keys: [APIKey] = []
        for (number, line) in zip(1..., text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)) {
            let content = line.prefix { $0 != "#" }
            guard !isBlank(content) else { continue }
            let key = try KeyLine.key(content, at: "\(path):\(number)")
            guard !keys.contains(where: { $0.name == key.name }) else {
                throw SettingsError("\(path):\(number): there is a key \(key.name) already")
            }
            keys.append(key)
        }
        return keys
    }

    private static func check(_ keys: [APIKey]) throws(SettingsError) {
        guard keys.count <= mostKeys else { throw SettingsError("there are more than \(mostKeys) API keys") }
        var names: Set<String> = []
        var hashes: Set<String> = []
        for key in keys {
            guard names.insert(key.name).inserted else {
                throw SettingsError("there is more than one API key of the name \(key.name)")
            }
            guard hashes.insert(key.hashText).inserted else {
                throw SettingsError("the API key \(key.name) is the same as another one")
            }
        }
    }

    /// The origins whose scripts may read the answers, in the form in which browsers write them.
    func allowedOrigins() throws(SettingsError) -> [String] {
        guard !Self.isBlank(originsText) else { return [] }
        let origins = originsText.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
        if origins == ["*"] { return origins }
        for origin in origins {
            guard origin != "*" else { throw SettingsError("access.allowedOrigins has * and others; * stands alone") }
            guard origin.wholeMatch(of: /[a-z][a-z0-9+.\-]*:\/\/[^\/?#@,*\sA-Z]+/) != nil else {
                throw SettingsError(
                    "access.allowedOrigins must have origins such as https://example.org, in small letters, not \(origin)"
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
                "access.allowedHosts must have names such as deckd.example.org, without a port, not \(host)"
            )
        }
        return hosts
    }

    /// Ranges of addresses, separated by commas.
    static func addressRanges(_ text: String, of setting: String) throws(SettingsError) -> [AddressRange] {
        guard !isBlank(text) else { return [] }
        var ranges: [AddressRange] = []
        for entry in text.split(separator: ",", omittingEmptySubsequences: false).map(trimmed) {
            guard let range = AddressRange(entry) else {
                throw SettingsError(
                    "\(setting) must have addresses and ranges such as 10.0.0.0/8 or 2001:db8::/32, not \(entry)"
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
}
