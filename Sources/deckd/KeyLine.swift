import DeckJournal
import DeckService
import Foundation

/// An API key as a line of the file of `access.keysFile`, or as a part of `access.keys`:
/// `NAME HASH scopes=decks+feed expires=2027-01-31T00:00:00Z`. Scopes and expiry can be left out, and a colon can be between the
/// name and the hash.
enum KeyLine {
    private static let scopesName = "scopes"
    private static let expiryName = "expires"

    /// Reads a line. The error messages do not quote the name and the hash, because one may be a key by mistake.
    static func key(_ line: Substring, at place: String) throws(SettingsError) -> APIKey {
        func isSeparator(_ character: Character) -> Bool { character.isWhitespace || character == ":" }
        let start = line.drop(while: \.isWhitespace)
        let name = start.prefix { !isSeparator($0) }
        let rest = start.dropFirst(name.count).drop(while: isSeparator)
        let hash = rest.prefix { !$0.isWhitespace }
        let options = rest.dropFirst(hash.count).split(whereSeparator: \.isWhitespace)
        var scopes: KeyScopes?
        var expiry: WallTime?
        for option in options {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            switch (parts[0], parts.count == 2 ? parts[1] : nil) {
            case (scopesName[...], let value?) where scopes == nil:
                scopes = try self.scopes(value.split(separator: "+", omittingEmptySubsequences: false), at: place)
            case (expiryName[...], let value?) where expiry == nil: expiry = try self.expiry(value, at: place)
            default: throw malformed(place)
            }
        }
        guard
            let key = APIKey(name: String(name), hash: String(hash), scopes: scopes ?? .all, expiry: expiry)
        else { throw malformed(place) }
        return key
    }

    private static func malformed(_ place: String) -> SettingsError {
        SettingsError(
            "\(place): a key must be NAME HASH, as deckd key prints it, and can have \(scopesName)=… and \(expiryName)=…"
        )
    }

    /// Reads names of scopes.
    static func scopes(_ names: [Substring], at place: String) throws(SettingsError) -> KeyScopes {
        guard let scopes = KeyScopes(names: names) else {
            let known = KeyScopes.knownNames.joined(separator: ", ")
            throw SettingsError("\(place): the scopes of a key must be some of: \(known); each at most once")
        }
        return scopes
    }

    /// Reads a time of RFC 3339 in UTC without a fraction, or a date, which means its start.
    static func expiry(_ text: Substring, at place: String) throws(SettingsError) -> WallTime {
        let day = text.contains("T") ? String(text) : "\(text)T00:00:00Z"
        let date = try? Date(day, strategy: .iso8601)
        let expiry = date.map { WallTime(milliseconds: Int64($0.timeIntervalSince1970) * 1000) }
        // The strategy also reads days that do not exist, and years of five digits.
        guard let expiry, self.text(expiry) == day else {
            throw SettingsError(
                "\(place): the expiry of a key must be a date or a time in UTC, such as 2027-01-31 or 2027-01-31T12:00:00Z"
            )
        }
        return expiry
    }

    /// A time as a line has it, without a fraction.
    private static func text(_ expiry: WallTime) -> String {
        expiry.text.replacing(".000Z", with: "Z")
    }

    /// The line of a key.
    static func text(_ key: APIKey) -> String {
        ([key.name, key.hashText] + options(key)).joined(separator: " ")
    }

    /// The scopes and the expiry of a key, for people; empty if it has neither.
    static func rights(_ key: APIKey) -> String {
        options(key).joined(separator: " ")
    }

    private static func options(_ key: APIKey) -> [String] {
        let scopes = key.scopes == .all ? nil : "\(scopesName)=\(key.scopes.names.joined(separator: "+"))"
        let expiry = key.expiry.map { "\(expiryName)=\(text($0))" }
        return [scopes, expiry].compactMap(\.self)
    }
}
