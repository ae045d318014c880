public import DeckEngine

/// A change of a session's settings as a merge patch (RFC 7396).
public struct SessionPatch: Sendable {
    /// The settings after the patch; nil: it has no settings.
    public var settings: DeckSettings?
    /// The deck's new size; nil: no change.
    public var viewport: Size?
    /// The new size of the area that a swiped card must leave; nil: no change, or that of the viewport while the two are equal.
    public var screen: Size?

    /// The first member that a player may not change, as a JSON Pointer; nil: there is none. A player may change the sizes and
    /// `motion.reduced`.
    public private(set) var ownersMember: String?

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
        ownersMember = try Self.ownersMember(of: object)
    }

    private static func ownersMember(of object: JSONObject) throws(WireError) -> String? {
        for name in names where object[name] != nil {
            switch name.description {
            case "viewport", "screen": continue
            case "motion":
                // Null restores all of the preset's motion.
                guard let motion = object[name], !motion.isNull else { return "/motion" }
                let members = SettingNames(of: MotionSettings()).names
                let changed = try motion.object(allowing: members)
                if let other = members.first(where: { changed[$0] != nil && $0.description != "reduced" }) {
                    return "/motion/\(other)"
                }
            default: return "/\(name)"
            }
        }
        return nil
    }
}
