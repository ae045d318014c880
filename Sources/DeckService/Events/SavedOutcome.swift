import DeckEngine
import DeckHost
import DeckWire

/// The outcome of events as it is saved under an idempotency key. It can be answered in any form later.
///
/// The bytes are: the format, the array `results` and the array `notifications` as JSON, each with its length in four bytes
/// before it, the lowest first, and the snapshot of the moment after the events.
struct SavedOutcome {
    private static let format: UInt8 = 1
    private static let lengthBytes = 4

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
        for part in [results, notifications] {
            bytes += (0..<Self.lengthBytes).map { UInt8(truncatingIfNeeded: part.count >> (8 * $0)) }
            bytes += part
        }
        return bytes + moment.snapshot()
    }

    /// - Throws: a problem if the bytes are not an outcome.
    init(_ bytes: [UInt8]) throws(Problem) {
        var rest = bytes[...]
        do throws(SnapshotError) {
            guard let format = rest.popFirst() else { throw .damaged }
            guard format == Self.format else { throw .unknownFormat(Int(format)) }
            results = try Self.part(&rest)
            notifications = try Self.part(&rest)
            moment = try Moment(snapshot: rest)
        } catch {
            throw Problem(.journalUnavailable, "The saved response of the request cannot be read.")
        }
    }

    private static func part(_ bytes: inout ArraySlice<UInt8>) throws(SnapshotError) -> [UInt8] {
        guard bytes.count >= lengthBytes else { throw .damaged }
        let length = bytes.prefix(lengthBytes).reversed().reduce(0) { $0 << 8 | Int($1) }
        bytes = bytes.dropFirst(lengthBytes)
        guard length <= bytes.count else { throw .damaged }
        defer { bytes = bytes.dropFirst(length) }
        return Array(bytes.prefix(length))
    }
}
