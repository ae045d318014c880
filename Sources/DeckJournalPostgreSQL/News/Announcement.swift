import DeckJournal

/// What a node sends to the others with notifications of PostgreSQL.
///
/// The first line of a notification has the node's name and the subject. A line for each session follows. Sessions that
/// do not fit into one notification are in several.
struct Announcement: Equatable {
    enum Subject: Equatable {
        /// The node sends it to itself, to find out how far it has heard everything. The number identifies it.
        case heartbeat(Int)
        /// A group of changes, with the end of the feed after it.
        case commit(lastFeedPosition: Int)
        /// Requests for previews and previews.
        case previews
    }

    var node: String
    var subject: Subject
    var lines: [NewsLine] = []

    /// The length of the longest payload in bytes. PostgreSQL accepts less than 8,000.
    private static let longest = 7_900

    /// The payloads of the notifications.
    var payloads: [String] {
        let head =
            switch subject {
            case .heartbeat(let number): "\(node) heartbeat \(number)"
            case .commit(let lastFeedPosition): "\(node) commit \(lastFeedPosition)"
            case .previews: "\(node) previews"
            }
        var payloads: [String] = []
        var payload = head
        for line in lines.map(\.text) {
            if payload.utf8.count + 1 + line.utf8.count > Self.longest {
                payloads.append(payload)
                payload = head
            }
            payload += "\n" + line
        }
        return payloads + [payload]
    }

    /// Reads a notification; nil: a later version of deckd has sent it.
    ///
    /// - Parameter listener: the node that reads it. The lines of an announcement by the same node are left out.
    init?(payload: String, readBy listener: String? = nil) {
        let first = payload.utf8.prefix { $0 != UInt8(ascii: "\n") }
        let words = first.split(separator: UInt8(ascii: " ")).map(Substring.init)
        guard words.count >= 2 else { return nil }
        let numbers = words.dropFirst(2).compactMap { Int($0) }
        node = String(words[0])
        switch words[1] {
        case "heartbeat" where numbers.count >= 1: subject = .heartbeat(numbers[0])
        case "commit" where numbers.count >= 1: subject = .commit(lastFeedPosition: numbers[0])
        case "previews": subject = .previews
        default: return nil
        }
        guard node != listener else { return }
        let rest = payload.utf8[first.endIndex...]
        lines = rest.split(separator: UInt8(ascii: "\n")).compactMap { NewsLine(Substring($0)) }
    }

    init(node: String, _ subject: Subject, _ lines: [NewsLine] = []) {
        self.node = node
        self.subject = subject
        self.lines = lines
    }
}
