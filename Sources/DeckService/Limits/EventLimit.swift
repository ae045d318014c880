import DeckWire

/// How many events a session takes: so many each second, and after a rest as many more at once.
struct EventLimit: Sendable, Equatable {
    /// Events per second; 0: any number.
    let perSecond: Int
    /// Events at once.
    let burst: Int
    /// The RateLimit-Policy field (draft-ietf-httpapi-ratelimit-headers-11, section 3): a bucket of `q` events that is
    /// full again after `w` seconds.
    let policy: String

    init(perSecond: Int, burst: Int) {
        self.perSecond = perSecond
        self.burst = burst
        policy = "\"events\";q=\(burst);w=\(Self.seconds(toGain: Double(burst), perSecond))"
    }

    /// The RateLimit field (section 4).
    func state(_ left: TokenBucket.Left) -> String { "\"events\";r=\(left.events);t=\(left.seconds)" }

    /// Whole seconds, at least one, after which so many events more are possible.
    func seconds(toGain events: Double) -> Int { Self.seconds(toGain: events, perSecond) }

    private static func seconds(toGain events: Double, _ perSecond: Int) -> Int {
        max(1, Int(clamping: (events / Double(max(1, perSecond))).rounded(.up)))
    }
}
