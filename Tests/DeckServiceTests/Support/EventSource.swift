import Foundation
import FoundationNetworking
import JSONTesting

/// An event as a browser's EventSource would dispatch it.
struct SentEvent: Sendable {
    var name: String
    /// The last id there was up to the event.
    var id: String
    var data: String
    /// The time before the client reconnects; nil: the stream has not set it.
    var retryMilliseconds: Int?

    var json: JSON {
        (try? JSON(parsing: data)) ?? .missing
    }
}

/// Reads Server-Sent Events as the HTML Standard, section 9.2.6, has it.
///
/// Unchecked because everything is touched on the queue of the session's delegate only, and by the one test that reads.
final class EventSource: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let events: AsyncStream<SentEvent>
    private let continuation: AsyncStream<SentEvent>.Continuation
    private var iterator: AsyncStream<SentEvent>.Iterator
    private let heads: AsyncStream<HTTPURLResponse>
    private let headContinuation: AsyncStream<HTTPURLResponse>.Continuation
    private var session: URLSession?
    private var rest = Data()
    private var name = ""
    private var data: String?
    private var id = ""
    private var retryMilliseconds: Int?

    init(_ url: String, headers: [String: String] = [:]) throws {
        (events, continuation) = AsyncStream.makeStream()
        (heads, headContinuation) = AsyncStream.makeStream()
        iterator = events.makeAsyncIterator()
        super.init()
        guard let url = URL(string: url) else { throw Client.Failure(description: "no URL: \(url)") }
        var request = URLRequest(url: url)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        self.session = session
        session.dataTask(with: request).resume()
    }

    /// The head of the answer; nil: there was none.
    func head() async -> HTTPURLResponse? {
        var iterator = heads.makeAsyncIterator()
        return await iterator.next()
    }

    /// The next event; nil: the stream has ended.
    func next() async -> SentEvent? {
        await iterator.next()
    }

    /// The next event of a name, past those of others.
    func next(_ name: String) async -> SentEvent? {
        while let event = await next() {
            if event.name == name { return event }
        }
        return nil
    }

    func close() {
        session?.invalidateAndCancel()
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { headContinuation.yield(response) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive part: Data) {
        rest += part
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            take(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
            rest = Data(rest[(end + 1)...])
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        headContinuation.finish()
        continuation.finish()
    }

    private func take(_ line: String) {
        guard !line.isEmpty else {
            if let data {
                let name = name.isEmpty ? "message" : name
                continuation.yield(SentEvent(name: name, id: id, data: data, retryMilliseconds: retryMilliseconds))
            }
            (name, data) = ("", nil)
            return
        }
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        switch parts[0] {
        case "event": name = value
        case "data": data = data.map { "\($0)\n\(value)" } ?? value
        case "id": id = value
        case "retry": retryMilliseconds = Int(value)
        default: break
        }
    }
}

extension SessionClient {
    /// Opens the session's stream.
    func stream(_ query: String = "", headers: [String: String] = [:]) throws -> EventSource {
        try EventSource("\(client.base)\(path)/stream\(query)", headers: headers)
    }
}
