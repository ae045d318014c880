import Foundation
import SocketTesting

/// One client of a server that may be killed at any moment, and what it knows of its session.
///
/// Unchecked because one thread at a time has it.
final class Player: @unchecked Sendable {
    /// The session as it must be.
    struct Model: Equatable {
        /// The directions of the swipes that stand, the first one first.
        var standing: [String] = []
        /// The directions of the reverted swipes that can be redone, the last one last.
        var undone: [String] = []
        /// How many swipes can be taken back: no more than 1,000, the last ones.
        var revertible = 0
        /// What the feed has: `given left`, `reverted left`.
        var feed: [String] = []

        mutating func apply(_ event: Event) {
            switch event {
            case .swipe(let direction):
                standing.append(direction)
                undone = []
                revertible = min(revertible + 1, 1000)
                feed.append("verdict \(direction)")
            case .revert:
                guard let direction = standing.popLast() else { return }
                undone.append(direction)
                revertible -= 1
                feed.append("reverted \(direction)")
            case .redo:
                guard let direction = undone.popLast() else { return }
                standing.append(direction)
                revertible = min(revertible + 1, 1000)
                feed.append("verdict \(direction)")
            }
        }
    }

    enum Event {
        case swipe(String)
        case revert
        case redo

        var body: String {
            switch self {
            case .swipe(let direction): #"{"type":"swipe","direction":"\#(direction)"}"#
            case .revert: #"{"type":"revert"}"#
            case .redo: #"{"type":"redo"}"#
            }
        }
    }

    /// A request that was sent and not answered.
    struct Pending {
        var event: Event
        var key: Int
    }

    private(set) var session = ""
    private(set) var model = Model()
    private(set) var pending: Pending?
    private(set) var answered = 0
    private(set) var refused = 0
    /// The session's clock, with when it was read on this machine's: between these two.
    private var clock: (at: Double, earliest: ContinuousClock.Instant, latest: ContinuousClock.Instant)?
    private var lastKey = 0

    struct Failure: Error {
        var description: String
    }

    /// Begins the session.
    func begin(_ port: Int) throws {
        let body = #"{"deck":{"count":1000000},"viewport":{"width":300,"height":400}}"#
        guard let answer = Answer(port, "POST", "/v1/sessions", body), let id = answer.json["id"] as? String else {
            throw Failure(description: "no session")
        }
        session = id
    }

    private static let events: [Event] = [
        .swipe("left"), .swipe("right"), .swipe("right"), .revert, .redo,
        // Not allowed: it is answered, and nothing must come of it.
        .swipe("up"),
    ]

    /// Sends one event after the other until there is no answer any more.
    func play(_ port: Int) {
        while sendOne(port) {}
    }

    /// Sends an event, which is another one than before if that was answered.
    ///
    /// - Returns: whether there was an answer.
    func sendOne(_ port: Int) -> Bool {
        if pending == nil {
            lastKey += 1
            pending = Self.events.randomElement().map { Pending(event: $0, key: lastKey) }
        }
        return sendPending(port)
    }

    /// Sends what has not been answered, again if it was sent before.
    ///
    /// - Returns: whether there was an answer, which the model then has.
    @discardableResult
    func sendPending(_ port: Int) -> Bool {
        guard let sent = pending else { return true }
        let answer = Answer(
            port,
            "POST",
            "/v1/sessions/\(session)/events?frame=none",
            sent.event.body,
            headers: ["Idempotency-Key: \"\(sent.key)\""]
        )
        guard let answer, answer.status == 200, let results = answer.json["results"] as? [[String: Any]],
            let isApplied = results.first?["applied"] as? Bool
        else { return false }
        if isApplied { model.apply(sent.event) } else { refused += 1 }
        answered += 1
        pending = nil
        return true
    }

    /// The model as it is, and as it is if what was not answered has been done all the same.
    var possible: [Model] {
        guard let pending else { return [model] }
        var done = model
        done.apply(pending.event)
        return [model, done]
    }

    /// What the server has of the session.
    func read(_ port: Int) throws -> Model {
        var kept = Model()
        var number = 0
        while true {
            let page = Answer(port, "GET", "/v1/sessions/\(session)/verdicts?after=\(number)")
            guard let verdicts = page?.json["verdicts"] as? [[String: Any]] else {
                throw Failure(description: "no verdicts: \(page?.body ?? "")")
            }
            guard let last = verdicts.last?["seq"] as? Int else { break }
            kept.standing += verdicts.compactMap { $0["direction"] as? String }
            number = last
        }
        let frame = try frame(port)
        guard let revertible = frame["canRevert"] as? Int, frame["currentIndex"] as? Int == kept.standing.count,
            let redoable = frame["canRedo"] as? Int
        else { throw Failure(description: "\(kept.standing.count) stand, and the frame says \(frame)") }
        // They are known once they are redone; the model reports it.
        kept.revertible = revertible
        kept.undone = possible.first { $0.standing == kept.standing && $0.undone.count == redoable }?.undone ?? ["?"]
        return kept
    }

    /// Reads the frame and the clock in it.
    ///
    /// - Throws: if the clock has not gone on as this machine's has.
    private func frame(_ port: Int) throws -> [String: Any] {
        let earliest = ContinuousClock.now
        let answer = Answer(port, "GET", "/v1/sessions/\(session)/frame")
        let latest = ContinuousClock.now
        guard let frame = answer?.json, let at = frame["at"] as? Double else {
            throw Failure(description: "no frame: \(answer?.body ?? "")")
        }
        if let clock {
            let passed = at - clock.at
            // The session's beginning is kept to the millisecond.
            let least = (earliest - clock.latest) / .milliseconds(1) - 2
            let most = (latest - clock.earliest) / .milliseconds(1) + 2
            guard passed >= least, passed <= most else {
                throw Failure(description: "\(passed) ms have passed, which were \(least) to \(most)")
            }
        }
        clock = (at, earliest, latest)
        return frame
    }
}
