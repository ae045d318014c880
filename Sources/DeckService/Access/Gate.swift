import DeckHost
import DeckJournal
import MicroHTTP

/// Lets requests in, or not.
///
/// Without keys everyone is let in who gives no credentials, because then only this machine can reach the server; who
/// gives some must give good ones all the same.
struct Gate: Sendable {
    private let keys: KeyRing

    init(keys: KeyRing) {
        self.keys = keys
    }

    var hasKeys: Bool { !keys.isEmpty }

    /// Replaces the API keys; see ``KeyRing/replace(with:)``.
    func replaceKeys(with others: [APIKey]) {
        keys.replace(with: others)
    }

    /// Refuses what can be refused from the head alone, before a byte of the body is read.
    func admit(_ head: RequestHead, to access: Access) throws(Problem) {
        switch access {
        case .open: break
        case .keys: _ = try grant(to: head, for: access)
        // Whether the token is good is for the session to say, which is not read before the body has come.
        case .session: _ = try credentials(of: head)
        }
    }

    /// What a request may do.
    ///
    /// - Throws: a problem if that is nothing here.
    func grant(to head: RequestHead, for access: Access) throws(Problem) -> Grant {
        guard access != .open, let credentials = try credentials(of: head) else { return .everything(key: nil) }
        let hash = tokenHash(credentials.token)
        switch (access, credentials.place) {
        case (.keys, .query):
            throw Problem(.malformedQuery, "The parameter \(Credentials.parameter) is for sessions, and unknown here.")
        case (_, .field):
            if let name = keys.name(ofHash: hash) { return .everything(key: name) }
            guard access != .keys else { throw Problem(.invalidToken, "What was given is no API key.") }
            return .sessionToken(hash: hash)
        // Addresses are written down in many places, and a key opens too much for that: the query takes tokens only.
        case (_, .query): return .sessionToken(hash: hash)
        }
    }

    private func credentials(of head: RequestHead) throws(Problem) -> Credentials? {
        let credentials = try Credentials(head)
        guard credentials != nil || keys.isEmpty else {
            throw Problem(.unauthorized, "An API key, or the session's token where it is about one, is needed here.")
        }
        return credentials
    }

    /// The session, if the token is one of its.
    ///
    /// - Parameters:
    ///   - found: what was found of the session's id. With keys, none is answered as one whose token is another, so
    ///     that strangers cannot find out which ids there are.
    func check(
        _ hash: [UInt8],
        of found: Result<HostedSession, Problem>,
        for access: Access
    ) throws(Problem) -> HostedSession {
        let session: HostedSession
        do throws(Problem) {
            session = try found.get()
        } catch {
            guard error.kind == .notFound, !keys.isEmpty else { throw error }
            throw Self.foreignToken
        }
        let isFull = isSameInConstantTime(hash, session.identity.tokenHash)
        let isSpectators = isSameInConstantTime(hash, session.identity.spectatorTokenHash)
        guard isFull || isSpectators else { throw Self.foreignToken }
        guard isFull || access == .session(.read) else {
            throw Problem(.forbidden, "A spectator's token reads only.")
        }
        return session
    }

    private static let foreignToken = Problem(.invalidToken, "What was given is no token of this session.")
}

extension HostedSession {
    /// Who has the token with this hash, which must be one of the session's two.
    func payer(ofTokenHash hash: [UInt8]) -> Payer {
        isSameInConstantTime(hash, identity.tokenHash) ? .player : .spectator
    }
}
