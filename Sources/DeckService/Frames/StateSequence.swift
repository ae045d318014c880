import DeckEngine
import DeckHost

/// The states of a session at the times of several frames. The times between two events share one state.
struct StateSequence: Sendable {
    /// Moments that share a state.
    private struct Stretch: Sendable {
        var state: HostedSession.State
        /// How many moments come before its end.
        var end: Int
    }

    let times: [Instant]
    private var stretches: [Stretch] = []

    /// - Parameters:
    ///   - past: the states at the first moments.
    ///   - latest: the state at all others.
    init(_ times: [Instant], past: [PastReader.PastState], latest: HostedSession.State) {
        self.times = times
        var lineCount: Int?
        for (number, past) in past.enumerated() {
            if past.lineCount != lineCount { stretches.append(Stretch(state: past.state, end: number)) }
            lineCount = past.lineCount
            stretches[stretches.count - 1].end = number + 1
        }
        if past.count < times.count { stretches.append(Stretch(state: latest, end: times.count)) }
    }

    /// The state at a moment. Moments are asked for in order: the stretches before this one are dropped.
    mutating func state(at number: Int) -> HostedSession.State {
        while stretches[0].end <= number { stretches.removeFirst() }
        return stretches[0].state
    }
}
