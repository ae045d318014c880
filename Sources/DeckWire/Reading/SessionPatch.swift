public import DeckEngine

/// A change of a session's settings as a merge patch (RFC 7396).
public struct SessionPatch: Sendable {
    /// The settings after the patch; nil: it has no settings.
    public var settings: DeckSettings?
    /// The deck's new size; nil: no change.
    public var viewport: Size?
    /// The new size of the area that a swiped card must leave; nil: no change, or that of the viewport while the two are equal.
    public var screen: Size?

    /// The layout of a session cannot change.
    private static let names: [StaticString] =
        ["viewport", "screen"] + SettingNames(of: DeckSettings()).names.filter { $0.description != "layout" }

    /// Reads a patch (`docs/api.md`, "Sessions").
    ///
    /// - Parameters:
    ///   - settings: the session's settings now.
    ///   - preset: the preset that the settings started from. Null goes back to it.
    /// - Throws: the first mistake.
    public init(_ value: JSONValue, over settings: DeckSettings, preset: Preset) throws(WireError) {
        let object = try value.object(allowing: Self.names)
        viewport = try object["viewport"].map { viewport throws(WireError) in try viewport.size() }
        screen = try object["screen"].map { screen throws(WireError) in try screen.size() }
        var patched = settings
        var reader = SettingReader(object, null: .base)
        try patched.visit(&reader, base: DeckSettings(preset: preset))
        if patched != settings { self.settings = patched }
    }
}
