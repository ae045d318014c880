import MicroHTTP

/// One method at one path.
final class Endpoint: Sendable {
    /// The kind of body that it reads, which determines the maximum length.
    enum Body: Sendable {
        case none
        /// A deck, or an object that contains a deck.
        case deck
        case other
    }

    /// Who may use it.
    let access: Access
    /// The kind of its body.
    let body: Body
    /// The media types of its answers. The first one is the default.
    let produces: [String]
    /// The media type of problems. An endpoint whose answer has no body names it as an alternative, because a generated
    /// client accepts nothing else there.
    static let problemType = "application/problem+json"
    /// The media types that the body of a request may have, if its method is not PATCH.
    static let bodyTypes = ["application/json"]
    /// The media types that the body of a PATCH may have.
    static let patchTypes = ["application/merge-patch+json"] + bodyTypes
    /// Answers a call, or makes sure that its exchange is answered later.
    typealias Answer = @Sendable (Call) throws(Problem) -> Reply

    /// Reads what the answer needs from a head, once for all requests with the same head.
    let prepare: @Sendable (RequestHead) -> Answer

    /// An endpoint whose query has no parameters.
    convenience init(
        access: Access,
        body: Body = .none,
        produces: String = "application/json",
        or alternative: String? = nil,
        _ answer: @escaping Answer
    ) {
        self.init(access: access, body: body, produces, alternative, parameters: []) { _, _ in answer }
    }

    /// An endpoint whose query can have parameters.
    convenience init(
        access: Access,
        body: Body = .none,
        produces: String = "application/json",
        or alternative: String? = nil,
        parameters names: [String],
        _ answer: @escaping @Sendable (Call, Query) throws(Problem) -> Reply
    ) {
        self.init(access: access, body: body, produces, alternative, parameters: names) { _, query in
            { call throws(Problem) in try answer(call, query) }
        }
    }

    /// An endpoint that reads the head separately, because clients often send the same one.
    ///
    /// - Parameters:
    ///   - read: reads the head and its query. A problem is the answer to all calls with that head.
    ///   - answer: answers a call with what was read.
    convenience init<Reading: Sendable>(
        access: Access,
        body: Body = .none,
        produces: String = "application/json",
        parameters names: [String],
        reading read: @escaping @Sendable (RequestHead, Query) throws(Problem) -> Reading,
        _ answer: @escaping @Sendable (Call, Reading) throws(Problem) -> Reply
    ) {
        self.init(access: access, body: body, produces, nil, parameters: names) { head, query throws(Problem) in
            let reading = try read(head, query)
            return { call throws(Problem) in try answer(call, reading) }
        }
    }

    /// - Parameters:
    ///   - names: the parameters that the query can have. Any other one is a problem.
    ///   - prepare: reads the head and its query. A problem is the answer to all calls with that head.
    private init(
        access: Access,
        body: Body,
        _ type: String,
        _ alternative: String?,
        parameters names: [String],
        _ prepare: @escaping @Sendable (RequestHead, Query) throws(Problem) -> Answer
    ) {
        self.access = access
        self.body = body
        produces = [type] + (alternative.map { [$0] } ?? [])
        self.prepare = { head in
            do throws(Problem) {
                return try prepare(head, Query(head.target, allowing: names))
            } catch {
                return { _ throws(Problem) in throw error }
            }
        }
    }
}

/// The result of an endpoint.
enum Reply: Sendable {
    case now(Response)
    /// The exchange is answered later.
    case later
    /// The answer is the result of another ``Step``.
    case next(@Sendable () throws(Problem) -> Reply)
}
