import DeckHost
import MicroHTTP

extension DeckService {
    /// Authenticates a call and answers it: at once, or after the token was compared with those of the session in the path.
    func answer(_ call: Call) -> Step {
        let plan = call.plan
        do throws(Problem) {
            switch try gate.grant(to: plan.claim, for: plan.endpoint.access) {
            case .everything(nil): return call.answer()
            case .everything(let key?): return call.with(key: key).answer()
            case .sessionToken(let hash):
                if let session = sessions.resident(for: call) { return answer(call, with: hash, of: .success(session)) }
                sessions.find(for: call) { found in
                    call.finish(self.answer(call, with: hash, of: found.mapError { Problem($0) }))
                }
                return .wait
            }
        } catch {
            return call.step(with: error)
        }
    }

    /// Answers a call with a token, if it is a token of the session that was found.
    private func answer(
        _ call: Call,
        with hash: [UInt8],
        of found: Result<HostedSession, Problem>
    ) -> Step {
        do throws(Problem) {
            let (session, role) = try gate.check(hash, of: found, for: call.plan.endpoint.access)
            return call.with(session, as: role).answer()
        } catch {
            return call.step(with: error)
        }
    }
}
