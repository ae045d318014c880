import Foundation
import SocketTesting
import Testing

extension MixPlayer {
    /// Compares the next server's data with the responses before the kill.
    ///
    /// - Parameter isThorough: whether the log is replayed, and all swipes are reverted and redone.
    func check(_ port: Int, isThorough: Bool) throws {
        connect(port)
        let known = pending == nil ? lastFrame : nil
        checkRepetitions()
        if pending != nil { #expect(sendPending() != nil, "\(deck)") }
        let frame = try frame()
        // The answer was sent after the commit, so the state is the same, under numbers that may be greater.
        if let known { #expect(frame.withoutNumbers == known.withoutNumbers) }
        try checkOthers()
        if let deckBody { try checkDeck(deckBody) }
        if isThorough {
            try undoAndRedo()
            try checkLog()
        }
        #expect(failures == [], "\(deck)")
    }

    /// The frame as it is now.
    private func frame() throws -> String {
        let answer = try #require(send("GET", "\(path)/frame"))
        try #require(answer.status == 200, "\(answer)")
        saw(answer, isSaved: false)
        return answer.body
    }

    /// A request that is sent again is answered byte for byte as before.
    private func checkRepetitions() {
        for (change, body) in answered {
            let again = repeated(change)
            let hasEnded = others.contains { body.contains($0.id) && $0.hasEnded != false }
            if hasEnded, again?.status == 410 { continue }
            #expect(again?.body == body, "\(change)")
            #expect(again?.head.contains("Idempotency-Replayed: true") == true, "\(change)")
        }
    }

    /// The tokens of the sessions that were created are valid, and what has ended stays so.
    private func checkOthers() throws {
        let spectating = try #require(send("GET", "\(path)/frame", "", session.spectatorToken))
        #expect(spectating.status == 200)
        for index in others.indices {
            let other = others[index]
            let target = "/v1/sessions/\(other.id)/frame"
            let tokens = [other.token, other.spectatorToken, apiKey]
            let statuses = tokens.compactMap { send("GET", target, "", $0)?.status }
            switch other.hasEnded {
            case true?: #expect(statuses.last == 410)
            case false?: #expect(statuses == [200, 200, 200])
            case nil: others[index].hasEnded = statuses.last == 410
            }
        }
        others = others.suffix(5)
    }

    private func checkDeck(_ body: String) throws {
        let answer = try #require(send("GET", "/v1/decks/\(deck)", "", apiKey))
        let count = try #require(body.json["count"] as? Int)
        #expect(answer.json["count"] as? Int == count || answer.json["cardCount"] as? Int == count, "\(answer)")
        let tag = try #require(answer.head.firstMatch(of: /ETag: (\S+)/)?.1)
        facts.add("deck \(tag)", deck + answer.body)
    }

    /// Takes back everything that can be taken back, and does it again.
    private func undoAndRedo() throws {
        _ = change("POST", "\(path)/events", #"{"type":"tick","at":\#(later(5000))}"#)
        let before = try kept()
        guard let count = try frame().json["canRevert"] as? Int, count > 0 else { return }
        for type in ["revert", "redo"] {
            let body = #"{"type":"\#(type)","count":\#(count),"at":\#(later(5000))}"#
            let answer = try #require(change("POST", "\(path)/events", body))
            #expect(answer.body.contains(#""applied":true"#), "\(type) \(count): \(answer.body)")
            if type == "revert" { #expect(try frame().json["canRevert"] as? Int == 0) }
        }
        let after = try kept()
        #expect(after == before, "\(zip(after, before).filter { $0 != $1 }.prefix(3)) \(after.count) \(before.count)")
    }

    /// The cards in their order, how much can be reverted and redone, and the standing verdicts without their numbers.
    /// After a redo the front is behind the last card that was swiped, whatever was in front before.
    private func kept() throws -> [String] {
        let cards = try #require(send("GET", "\(path)/cards")).body
        let verdicts = try standing().map { "\($0["id"] ?? "") \($0["direction"] ?? "")" }
        let frame = try frame().json
        // The verdict on a card that was removed cannot be taken back, and so keeps its number.
        return [cards, "\(frame["canRevert"] ?? "") \(frame["canRedo"] ?? "")"] + verdicts.sorted()
    }

    /// The verdicts that stand, however many requests they take.
    func standing() throws -> [[String: Any]] {
        var verdicts: [[String: Any]] = []
        while true {
            let last = verdicts.last?["seq"] as? Int ?? 0
            let answer = try #require(send("GET", "\(path)/verdicts?after=\(last)"))
            let more = try #require(answer.json["verdicts"] as? [[String: Any]])
            guard !more.isEmpty else { return verdicts }
            verdicts += more
        }
    }

    /// A replay of the log ends with the frame as it is, and has every frame that was served after events that are saved.
    private func checkLog() throws {
        _ = change("POST", "\(path)/events", #"{"type":"tick","at":\#(later(5000))}"#)
        let log = try #require(send("GET", "\(path)/events")).body
        let now = try frame()
        try Command.withFile(log) { file in
            let replay = try Command.run("replay", file)
            #expect(replay.status == 0, "\(replay.errors)")
            let frames = replay.output.split(separator: "\n").map(String.init)
            #expect(frames.last == now)
            let missing = Set(served).subtracting(frames)
            #expect(missing.isEmpty, "\(missing.first ?? "")")
        }
    }
}
