import Foundation

/// The content that clients received in all lives of a server, under numbers that must never be used for anything else.
///
/// Unchecked because everything is only touched while the lock is held.
final class Facts: @unchecked Sendable {
    private let lock = NSLock()
    private var contents: [String: String] = [:]
    private var found: [String] = []

    /// The contradictions: two contents under the same number.
    var contradictions: [String] { lock.withLock { found } }

    var count: Int { lock.withLock { contents.count } }

    func add(_ number: String, _ content: String) {
        lock.withLock {
            guard let former = contents.updateValue(content, forKey: number), former != content else { return }
            found.append("\(number):\n\(former)\n\(content)")
        }
    }

    /// Adds the numbers of an answer about a session: the version of its frame, and those of its notifications.
    func add(_ text: String, of session: String) {
        if let frame = text.frameText { addFrame(frame, of: session) }
        for notification in text.json["notifications"] as? [[String: Any]] ?? [] {
            addNotification(notification, of: session)
        }
    }

    /// A version at a time has one frame, and at rest it has one at all times: a refused event moves nothing but the clock.
    func addFrame(_ frame: String, of session: String) {
        guard let (_, version, time) = frame.firstMatch(of: /"version":(\d+),"at":([0-9.]+),/)?.output else { return }
        add("version \(session) \(version) at \(time)", frame)
        let state = frame.matches(of: /"(?:currentIndex|cardCount|dragging|canRevert|canRedo)":[^,]+/).map { $0.output }
        add("state of version \(session) \(version)", state.joined(separator: " "))
        guard frame.contains(#""animating":false"#) else { return }
        add("version \(session) \(version)", frame.replacing(#""at":\#(time),"#, with: ""))
    }

    func addNotification(_ notification: [String: Any], of session: String) {
        guard let number = notification["seq"] as? Int else { return }
        add("notification \(session) \(number)", Self.text(notification))
    }

    /// Adds a row of the feed.
    func addVerdict(_ row: [String: Any]) {
        let names = ["cursor", "session", "seq", "type"].map { "\(row[$0] ?? "")" }
        if !names[0].isEmpty { add("cursor \(names[0])", Self.text(row)) }
        add("verdict \(names[1...].joined(separator: " "))", Self.text(row))
    }

    /// The same members give the same text.
    static func text(_ object: [String: Any]) -> String {
        let data = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

extension String {
    /// The text as a JSON object; no members if it is none.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(utf8))) as? [String: Any] ?? [:]
    }

    /// The frame at the end of an answer, or the frame that the answer is; nil: there is none.
    var frameText: String? {
        if hasPrefix(#"{"session":"#) { return self }
        guard let start = firstRange(of: #""frame":{"#)?.upperBound else { return nil }
        return "{" + self[start...].dropLast()
    }

    /// The frame without the numbers that may be skipped after a crash.
    var withoutNumbers: String {
        replacing(/"(version|lastNotification)":\d+/) { "\"\($0.1)\":0" }
    }
}
