import DeckHost
import MicroHTTP

/// The limit of a session's events, with what clients are told of it (draft-ietf-httpapi-ratelimit-headers-11).
struct RateLimit: Sendable {
    private let limit: EventLimit
    /// The same for every answer.
    private let policy: String

    init(_ limit: EventLimit) {
        self.limit = limit
        policy = Self.policy(limit)
    }

    /// Takes events out of a session's limit, whatever will become of them.
    ///
    /// - Returns: what to tell the client of the limit.
    /// - Throws: a problem if there have been too many.
    func take(_ count: Int, of session: HostedSession) throws(Problem) -> HeaderFields {
        do throws(HostError) {
            guard let left = try session.take(count, of: limit) else { return HeaderFields() }
            return Self.fields(policy, left)
        } catch {
            throw Problem(error)
        }
    }

    /// What a client that was refused is told of the limit.
    static func fields(_ limit: EventLimit, _ left: TokenBucket.Left) -> HeaderFields {
        fields(policy(limit), left)
    }

    /// RateLimit-Policy (section 3), and RateLimit (section 4).
    private static func fields(_ policy: String, _ left: TokenBucket.Left) -> HeaderFields {
        HeaderFields([
            ("RateLimit-Policy", policy), ("RateLimit", "\"events\";r=\(left.events);t=\(left.seconds)"),
        ])
    }

    /// A bucket of `q` events that is full again after `w` seconds.
    private static func policy(_ limit: EventLimit) -> String {
        "\"events\";q=\(limit.burst);w=\(limit.seconds(toGain: Double(limit.burst)))"
    }
}
