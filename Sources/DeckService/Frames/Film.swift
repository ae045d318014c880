import DeckEngine
import DeckHost

/// A session at many moments. The moments between two events share one state.
struct Film: Sendable {
    private struct Scene: Sendable {
        var state: HostedSession.State
        /// How many moments come before its end.
        var end: Int
    }

    let times: [Instant]
    private var scenes: [Scene] = []

    /// - Parameters:
    ///   - past: the states at the first moments.
    ///   - latest: the state at all others.
    init(_ times: [Instant], past: [PastReader.Moment], latest: HostedSession.State) {
        self.times = times
        var lineCount: Int?
        for (number, moment) in past.enumerated() {
            if moment.lineCount != lineCount { scenes.append(Scene(state: moment.state, end: number)) }
            lineCount = moment.lineCount
            scenes[scenes.count - 1].end = number + 1
        }
        if past.count < times.count { scenes.append(Scene(state: latest, end: times.count)) }
    }

    /// The state at a moment. Moments are asked for in order: the scenes before this one are dropped.
    mutating func state(at number: Int) -> HostedSession.State {
        while scenes[0].end <= number { scenes.removeFirst() }
        return scenes[0].state
    }
}
