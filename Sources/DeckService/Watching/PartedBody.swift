import Locking
import MicroHTTP

/// The body of a long answer. Each part is made when the client has taken the one before, so an answer costs the memory
/// of one part, however long it is and however slowly it is read.
final class PartedBody: Sendable {
    /// What comes next of a body.
    enum Part: Sendable {
        /// Some bytes, at least one.
        case bytes([UInt8])
        /// That was all.
        case end
        /// The rest cannot be made. The connection is closed, so that the client does not take the body for complete.
        case failure
    }

    /// Makes the next part and gives it to its argument, now or later.
    typealias Source = @Sendable (@escaping @Sendable (Part) -> Void) -> Void

    private let out: EventStream
    private let source: Source
    private let charge: @Sendable (_ bytes: Int) -> Void
    private let isMaking = Lock(false)

    private init(_ out: EventStream, _ source: @escaping Source, charge: @escaping @Sendable (Int) -> Void) {
        self.out = out
        self.source = source
        self.charge = charge
    }

    /// Sends a body.
    ///
    /// - Parameter charge: gets the bytes of each part.
    static func send(_ source: @escaping Source, over out: EventStream, charge: @escaping @Sendable (Int) -> Void) {
        let body = PartedBody(out, source, charge: charge)
        // The stream keeps the body until it is over.
        out.whenTaken { body.next() }
        body.next()
    }

    private func next() {
        let isFirst = isMaking.withLock { isMaking in
            defer { isMaking = true }
            return !isMaking
        }
        guard isFirst, !out.isOver else { return }
        source { [self] part in
            isMaking.withLock { $0 = false }
            switch part {
            case .bytes(let bytes):
                charge(bytes.count)
                out.write(bytes)
            case .end: out.end()
            case .failure: out.cutOff()
            }
        }
    }
}
