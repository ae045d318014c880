public import DeckEngine

/// The engine as clients call it: numbers in, numbers out.
///
/// The same source is compiled for the server's tests and for WebAssembly. An event, a result and a frame are each a list of
/// numbers in a fixed order; NaN stands for a value that is absent. Cards are named by their numbers. `Client/numbers.js`
/// turns the lists into the objects of the HTTP API.
public struct ClientEngine {
    private var session: DeckSession

    /// Continues a session from `DeckSession.clientSnapshot()`.
    ///
    /// - Throws: `SnapshotError` if the bytes are not a client snapshot of this version.
    public init(snapshot: ArraySlice<UInt8>) throws(SnapshotError) {
        session = try DeckSession(clientSnapshot: snapshot)
    }

    /// The session's time, milliseconds.
    public var now: Double { session.now.milliseconds }

    /// Applies an event.
    ///
    /// - Parameter event: the event as a list of numbers (`EventReader`).
    /// - Returns: the result as a list of numbers (`NumberWriter.write(_: Outcome)`).
    /// - Throws: why the event cannot be applied at all; the session is then unchanged.
    public mutating func apply(_ event: [Double]) throws(ClientError) -> [Double] {
        var reader = EventReader(event)
        let request = try reader.request()
        if case .resize(let viewport?, _) = request.event, !session.settings.layout.fits(in: viewport) {
            throw .invalid
        }
        guard let outcome = try? session.apply(request.event, onlyOn: request.card, at: request.time) else {
            throw .timeRunsBackwards
        }
        var writer = NumberWriter()
        writer.write(outcome)
        return writer.numbers
    }

    /// Moves the clock; an earlier time changes nothing.
    ///
    /// - Returns: the notifications up to then as a list of numbers.
    /// - Throws: `invalid` for a time that no session has.
    public mutating func advance(to time: Double) throws(ClientError) -> [Double] {
        guard EventLimits.moments.contains(time) else { throw .invalid }
        var writer = NumberWriter()
        writer.write(session.advance(to: Instant(time)))
        return writer.numbers
    }

    /// The frame at a time, if no event comes until then. An earlier time counts as the session's.
    ///
    /// - Returns: the frame as a list of numbers (`NumberWriter+frame.swift`).
    /// - Throws: `invalid` for a time that no session has.
    public func frame(at time: Double) throws(ClientError) -> [Double] {
        guard EventLimits.moments.contains(time) else { throw .invalid }
        // Everything is read from the session at this time, so that it belongs to the same moment.
        let moment = session.advanced(to: Instant(time))
        var writer = NumberWriter()
        moment.readFrame(at: moment.now) { frame, forEachCard in
            writer.write(frame, forEachCard)
            writer.writeSpeech(of: moment, showing: frame.currentIndex)
        }
        return writer.numbers
    }
}

/// Why an engine did nothing.
public enum ClientError: Error {
    /// The event or the time is not valid.
    case invalid
    /// The event's time is before the session's.
    case timeRunsBackwards
    /// The event needs cards or settings that only the server has.
    case needsServer
}

extension Layout {
    /// Whether the front card has an area in a viewport.
    fileprivate func fits(in viewport: Size) -> Bool {
        viewport.width > leastSize.width && viewport.height > leastSize.height
    }
}
