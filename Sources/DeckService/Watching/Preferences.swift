import MicroHTTP

/// The preferences of a client (RFC 7240). Unknown ones are ignored, as the RFC demands.
struct Preferences: Sendable {
    /// The longest time to wait.
    static let longestWaitSeconds = 60

    /// How long to wait for an answer, at most 60 s; 0: not at all.
    var waitSeconds = 0

    init(_ headers: HeaderFields) {
        let preferences = headers.values("Prefer").flatMap { $0.split(separator: ",") }
        for preference in preferences {
            // A preference may have parameters; wait has none.
            let words = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            let names = words.map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
            guard names.first?.lowercased() == "wait", names.count == 2, let seconds = Int(names[1]), seconds >= 0
            else { continue }
            // The first of the same name counts.
            waitSeconds = min(seconds, Self.longestWaitSeconds)
            return
        }
    }

    /// The value of Preference-Applied.
    var applied: String {
        "wait=\(waitSeconds)"
    }
}
