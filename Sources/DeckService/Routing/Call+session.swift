import DeckHost
import MicroHTTP

extension SessionTable {
    /// Answers with what the body makes of the session that the path names, now or when it has been loaded.
    func with(
        _ call: Call,
        _ body: @escaping @Sendable (HostedSession) throws(Problem) -> Reply
    ) -> Reply {
        if let session = call.session {
            call.finish { () throws(Problem) in try body(session) }
            return .later
        }
        find(call.parameters[0]) { result in
            call.finish { () throws(Problem) in try body(try result.found()) }
        }
        return .later
    }

    /// Answers with what the body makes of the session that the path names, as it is committed.
    func read(_ call: Call, _ body: @escaping @Sendable (Sight) throws(Problem) -> Reply) -> Reply {
        with(call) { session throws(Problem) in
            self.read(session) { result in
                call.finishOnWorker { () throws(Problem) in try body(try result.found()) }
            }
            return .later
        }
    }
}
