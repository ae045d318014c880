import DeckHost
import DeckJournal
import MicroHTTP

/// Authenticates requests.
///
/// A server without API keys can only be reached from its machine, so it accepts requests without credentials. Credentials that
/// a request has must still be valid.
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

    /// Reads the credentials of a request, and refuses what can be refused from the head alone, before the body is read.
    ///
    /// - Returns: the credentials for ``grant(to:for:)``; nil: there are none, or the endpoint needs none.
    func admit(_ head: RequestHead, to access: Access) throws(Problem) -> Claim? {
        guard access != .open, let credentials = try credentials(of: head) else { return nil }
        let claim = Claim(hash: tokenHash(credentials.token), place: credentials.place)
        // A session's token is compared with the session's when the session is read, after the body has arrived.
        if access.requiresKey { _ = try grant(to: claim, for: access) }
        return claim
    }

    /// What a request may do. Keys can be replaced and expire, so this is for one request only.
    ///
    /// - Parameter claim: nil: the endpoint needs none, or the server has no keys.
    /// - Throws: a problem if the request is not allowed.
    func grant(to claim: Claim?, for access: Access) throws(Problem) -> Grant {
        guard let claim else { return .everything(key: nil) }
        switch (access, claim.place) {
        case (.keys, .query):
            throw Problem(.malformedQuery, "The parameter \(Credentials.parameter) is only for paths of a session.")
        case (_, .field):
            if let key = keys.key(ofHash: claim.hash) { return .everything(key: try Self.check(key, for: access)) }
            guard !access.requiresKey else { throw Problem(.invalidToken, "The credential is not an API key.") }
            return .sessionToken(hash: claim.hash)
        // Many programs store addresses, and an API key allows too much for that. So the query can have a session's token only.
        case (_, .query): return .sessionToken(hash: claim.hash)
        }
    }

    /// Checks the credentials of a call again after it has waited. An API key can be removed, or expire. A token is valid as long as
    /// its session.
    func checkAgain(_ call: Call) throws(Problem) {
        guard call.key != nil else { return }
        guard case .everything = try grant(to: call.plan.claim, for: call.plan.endpoint.access) else {
            throw Problem(.invalidToken, "The API key has been removed.")
        }
    }

    /// The name of the key, if it has not expired and has a scope for the endpoint.
    private static func check(_ key: APIKey, for access: Access) throws(Problem) -> String {
        if let expiry = key.expiry, key.hasExpired(at: .now()) {
            throw Problem(.keyExpired, "The API key \(key.name) expired at \(expiry.text).")
        }
        guard !key.scopes.isDisjoint(with: access.scopes) else {
            let needed = access.scopes.names.joined(separator: " or ")
            let scopes = key.scopes.names.joined(separator: ", ")
            throw Problem(.insufficientScope, "The API key \(key.name) has the scopes \(scopes). It needs \(needed).")
        }
        return key.name
    }

    private func credentials(of head: RequestHead) throws(Problem) -> Credentials? {
        let credentials = try Credentials(head)
        guard credentials != nil || keys.isEmpty else {
            throw Problem(.unauthorized, "An API key is required, or the session's token if the path has a session.")
        }
        return credentials
    }

    /// The session and the client's role, if the token is one of the session's tokens and allows the endpoint.
    ///
    /// - Parameters:
    ///   - found: the session with the id, or why there is none. If there are API keys, an unknown id gets the same answer as a
    ///     wrong token, so that strangers cannot find out which ids exist.
    func check(
        _ hash: [UInt8],
        of found: Result<HostedSession, Problem>,
        for access: Access
    ) throws(Problem) -> (session: HostedSession, role: SessionRole) {
        let session: HostedSession
        do throws(Problem) {
            session = try found.get()
        } catch {
            guard error.kind == .notFound, !keys.isEmpty else { throw error }
            throw Self.foreignToken
        }
        guard let role = session.identity.role(ofTokenHash: hash) else { throw Self.foreignToken }
        guard role.mayUse(access) else { throw role.problem }
        return (session, role)
    }

    private static let foreignToken = Problem(.invalidToken, "The credential is not a token of this session.")
}
