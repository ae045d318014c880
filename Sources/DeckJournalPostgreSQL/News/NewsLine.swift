import DeckJournal
import Foundation

/// A line of an announcement. An id has no line breaks.
enum NewsLine: Equatable {
    case changed(session: String, to: Revision)
    case ended(session: String)
    case deckChanged(id: String)
    case previewRequested(session: String, request: UInt64)
    /// A part of a preview, which follows the part before it.
    case previewPart(session: String, number: Int, count: Int, base64: String)

    /// The maximum number of characters of a part, so that it fits into a notification with an id.
    private static let charactersPerPart = 7_000
    /// A preview with more parts is not sent.
    private static let mostParts = 50

    var text: String {
        switch self {
        case .changed(let id, let revision): "changed \(revision.position) \(id)"
        case .ended(let id): "ended \(id)"
        case .deckChanged(let id): "deck \(id)"
        case .previewRequested(let id, let request): "preview? \(request) \(id)"
        case .previewPart(let id, let number, let count, let base64): "preview \(number) \(count) \(base64) \(id)"
        }
    }

    /// Reads a line; nil: a later version of deckd has sent it.
    init?(_ text: Substring) {
        func words(_ count: Int) -> [String] {
            text.utf8.split(separator: UInt8(ascii: " "), maxSplits: count - 1).map { String(Substring($0)) }
        }
        switch words(2).first {
        case "changed":
            guard case let words = words(3), words.count == 3, let position = Int64(words[1]) else { return nil }
            self = .changed(session: words[2], to: Revision(position: position))
        case "ended":
            guard case let words = words(2), words.count == 2 else { return nil }
            self = .ended(session: words[1])
        case "deck":
            guard case let words = words(2), words.count == 2 else { return nil }
            self = .deckChanged(id: words[1])
        case "preview?":
            guard case let words = words(3), words.count == 3, let request = UInt64(words[1]) else { return nil }
            self = .previewRequested(session: words[2], request: request)
        case "preview":
            guard case let words = words(5), words.count == 5, let number = Int(words[1]), let count = Int(words[2])
            else {
                return nil
            }
            self = .previewPart(session: words[4], number: number, count: count, base64: words[3])
        default: return nil
        }
    }

    /// The lines of news.
    static func lines(_ news: JournalNews) -> [NewsLine] {
        switch news {
        case .changed(let id, let revision): return [.changed(session: id, to: revision)]
        case .ended(let id): return [.ended(session: id)]
        case .deckChanged(let id): return [.deckChanged(id: id)]
        case .previewRequested(let id, let request): return [.previewRequested(session: id, request: request)]
        case .preview(let id, let preview):
            let text = Data(PreviewForm.bytes(of: preview)).base64EncodedString()
            let parts = stride(from: 0, to: text.utf8.count, by: charactersPerPart).map { start in
                String(text.utf8.dropFirst(start).prefix(charactersPerPart)) ?? ""
            }
            guard parts.count <= mostParts else { return [] }
            return zip(1..., parts).map { .previewPart(session: id, number: $0, count: parts.count, base64: $1) }
        case .interrupted: return []
        }
    }

    static func == (left: NewsLine, right: NewsLine) -> Bool { left.text == right.text }
}

/// Makes news of the lines of one node.
struct JournalNewsReader {
    /// The parts of previews that are not complete, by session.
    private var parts: [String: [String]] = [:]

    mutating func news(_ line: NewsLine) -> JournalNews? {
        switch line {
        case .changed(let id, let revision): return .changed(session: id, to: revision)
        case .ended(let id): return .ended(session: id)
        case .deckChanged(let id): return .deckChanged(id: id)
        case .previewRequested(let id, let request): return .previewRequested(session: id, request: request)
        case .previewPart(let id, let number, let count, let base64):
            let former = number == 1 ? [] : parts.removeValue(forKey: id) ?? []
            guard former.count == number - 1 else { return nil }
            guard number == count else {
                parts[id] = former + [base64]
                return nil
            }
            let text = (former + [base64]).joined()
            return Data(base64Encoded: text).flatMap { PreviewForm.read(Array($0)) }.map { .preview(session: id, $0) }
        }
    }
}

/// A preview as bytes: the position, the requests after their count, then the state and the notifications, each after its
/// length. Numbers have eight bytes, the lowest first.
enum PreviewForm {
    static func bytes(of preview: SessionPreview) -> [UInt8] {
        var bytes: [UInt8] = []
        let numbers = [UInt64(bitPattern: preview.revision.position), UInt64(preview.requests.count)]
        for number in numbers + preview.requests { bytes.append(littleEndian: number, bytes: 8) }
        for part in [preview.state] + preview.notifications { bytes.append(counted: part, lengthBytes: 8) }
        return bytes
    }

    static func read(_ bytes: [UInt8]) -> SessionPreview? {
        var reader = ByteReader(bytes)
        guard let position = reader.number(bytes: 8), let count = reader.number(bytes: 8),
            count <= reader.rest.count / 8
        else { return nil }
        let requests = (0..<count).compactMap { _ in reader.number(bytes: 8) }
        var parts: [[UInt8]] = []
        while !reader.isAtEnd {
            guard let part = reader.string(lengthBytes: 8) else { return nil }
            parts.append(Array(part))
        }
        guard let state = parts.first else { return nil }
        return SessionPreview(
            revision: Revision(position: Int64(bitPattern: position)),
            state: state,
            notifications: Array(parts.dropFirst()),
            requests: requests
        )
    }
}
