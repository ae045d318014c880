public import DeckEngine

/// What a client changes of a session while it runs, as a merge patch (RFC 7396).
public struct SessionPatch: Sendable {
    /// The settings after the patch; nil: it names none.
    public var settings: DeckSettings?
    /// The deck's size; nil: as it is.
    public var viewport: Size?
    /// The size of what a swiped card has to leave; nil: as it is, or with the viewport as long as the two are equal.
    public var screen: Size?

    /// A session keeps its layout.
    private static let names: [StaticString] =
        ["viewport", "screen"] + SettingNames(of: DeckSettings()).names.filter { $0.description != "layout" }

    /// Reads a patch (`docs/api.md`, "Sessions").
    ///
    /// - Parameters:
    ///   - settings: the session's settings now.
    ///   - preset: the preset it started from, which null goes back to.
    /// - Throws: what is wrong and where.
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
