import DeckEngine
import DeckHost
import DeckWire
import Locking
import MicroHTTP

/// The frames of a session at regular intervals of time.
struct FrameSeriesEndpoints: Sendable {
    var sessions: SessionTable

    private static let mostFrames = 600
    private static let defaultFPS = 30
    /// The size of a part of the body in bytes, and in frames.
    private static let leastPartBytes = 65_536
    private static let mostInPart = 32

    var routes: [Route] {
        let names = ["from", "to", "fps", "fields", "include"]
        let frames = Endpoint(access: .session(.read), parameters: names) { call, query throws(Problem) in
            try self.frames(call, query)
        }
        return [Route("/v1/sessions/{id}/frames", [(.get, frames)])]
    }

    private func frames(_ call: Call, _ query: Query) throws(Problem) -> Reply {
        let times = try times(query)
        let frames = try FrameQuery(query)
        return try sessions.read(call) { committed throws(Problem) in
            let (session, state) = (committed.session, committed.state)
            let form = FrameForm(frames, of: session, for: call.role)
            var pastCount = 0
            for time in times where try sessions.past.checkIsPast(time, in: committed) { pastCount += 1 }
            try call.take(times.count * call.prices.cost(ofFrameOf: state.session), from: session)
            guard pastCount > 0 else {
                send(StateSequence(times, past: [], latest: state), form, call)
                return .later
            }
            let (moments, payment) = (Array(times.prefix(pastCount)), call.payment(from: session))
            sessions.past.read(of: session, state, at: moments, paying: payment) { result in
                call.finish { () throws(Problem) in
                    send(StateSequence(times, past: try result.getOrProblem(), latest: state), form, call)
                    return .later
                }
            }
            return .later
        }
    }

    private func times(_ query: Query) throws(Problem) -> [Instant] {
        let (from, to) = (try moment("from", query), try moment("to", query))
        guard from <= to else { throw Problem(.malformedQuery, "The parameter from must not be after to.") }
        let fps = Double(try query.integer("fps", in: 1...60) ?? Self.defaultFPS)
        let count = ((to - from).value * fps / 1000).rounded(.down) + 1
        guard count <= Double(Self.mostFrames) else {
            throw Problem(.malformedQuery, "from…to at fps may give at most \(Self.mostFrames) frames.")
        }
        return (0..<Int(clamping: count)).map { (from + Milliseconds(Double($0) * 1000 / fps)).roundedToNanoseconds }
    }

    private func moment(_ name: String, _ query: Query) throws(Problem) -> Instant {
        guard let moment = try query.moment(name) else {
            throw Problem(.malformedQuery, "The parameter \(name) is required.")
        }
        return moment
    }

    /// Sends the frames, some at a time.
    private func send(_ states: StateSequence, _ form: FrameForm, _ call: Call) {
        let place = Lock((states: states, next: 0))
        let headers = HeaderFields.json
        call.sendParts(headers, fromPool: { place.withLock { Self.part(of: &$0.states, from: &$0.next, form) } })
    }

    /// Some frames of the array, with the text before or after them.
    private static func part(of states: inout StateSequence, from next: inout Int, _ form: FrameForm) -> PartedBody.Part
    {
        var writer = JSONWriter(capacity: leastPartBytes + 4096)
        let end = min(next + mostInPart, states.times.count)
        while next < end, writer.byteCount < leastPartBytes {
            writer.separator(next == 0 ? "[" : ",")
            form.write(states.state(at: next), at: states.times[next], to: &writer)
            next += 1
        }
        guard next == states.times.count else { return .bytes(writer.bytes) }
        writer.separator("]")
        return .last(writer.bytes)
    }
}
