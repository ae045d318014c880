import DeckEngine
import DeckHost
import DeckJournal
import DeckWire

/// The outcome of events as it is saved under an idempotency key. It can be answered in any form later.
///
/// The bytes are: the format, the array `results` and the array `notifications` as JSON, each with its length in four bytes
/// before it, the lowest first, and the snapshot of the moment after the events.
struct SavedOutcome {
    private static let format: UInt8 = 1

    /// The array `results`, as JSON.
    let results: [UInt8]
    /// The array `notifications`, as JSON.
    let notifications: [UInt8]
    let moment: Moment

    /// The outcome of the events of requests.
    init(_ outcome: OperationOutcome, of requests: [EventRequest]) {
        results = Self.json { $0.write(outcome.outcomes, of: requests) }
        notifications = Self.json { $0.writeNotifications(of: outcome.outcomes) }
        moment = outcome.session.moment
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        write(&writer)
        return writer.bytes
    }

    var bytes: [UInt8] {
        var bytes = [Self.format]
        bytes.append(counted: results)
        bytes.append(counted: notifications)
        return bytes + moment.snapshot()
    }

    /// - Throws: a problem if the bytes are not an outcome.
    init(_ bytes: [UInt8]) throws(Problem) {
        var reader = ByteReader(bytes)
        guard reader.byte() == Self.format, let results = reader.string(), let notifications = reader.string(),
            let moment = try? Moment(snapshot: reader.rest)
        else { throw Problem(.journalUnavailable, "The saved response of the request cannot be read.") }
        (self.results, self.notifications, self.moment) = (Array(results), Array(notifications), moment)
    }
}
