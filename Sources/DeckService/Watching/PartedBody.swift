import MicroHTTP
import Synchronization

/// The rest of a long body, after its first part. Each part is made when the client has taken the one before, so an answer
/// costs the memory of one part, however long it is and however slowly it is read.
final class PartedBody: Sendable {
    /// The next part of a body.
    enum Part: Sendable {
        /// Some bytes, at least one, and more to come.
        case bytes([UInt8])
        /// The last bytes, or none.
        case last([UInt8])
        /// The rest cannot be made.
        case failure(Problem)
    }

    /// Makes the next part and passes it to its argument, now or later.
    typealias Source = @Sendable (@escaping @Sendable (Part) -> Void) -> Void

    private let out: BodyStream
    private let source: Source
    private let charge: @Sendable (_ places: Range<Int>) -> Void
    private let sentByteCount = Atomic(0)

    private init(_ out: BodyStream, _ source: @escaping Source, charge: @escaping @Sendable (Range<Int>) -> Void) {
        self.out = out
        self.source = source
        self.charge = charge
    }

    /// Sends a body.
    ///
    /// - Parameters:
    ///   - first: its first bytes.
    ///   - source: makes the rest.
    ///   - charge: gets the places of the bytes of each part, from 0.
    static func send(
        _ first: [UInt8],
        then source: @escaping Source,
        over out: BodyStream,
        charge: @escaping @Sendable (Range<Int>) -> Void
    ) {
        let body = PartedBody(out, source, charge: charge)
        // The stream retains the body until it is over.
        out.whenTaken { body.next() }
        body.write(first)
    }

    /// The client has taken what was written. As nothing else is written meanwhile, this is called once for each part.
    private func next() {
        guard !out.isOver else { return }
        source { [self] part in
            switch part {
            case .bytes(let bytes): write(bytes)
            case .last(let bytes):
                count(bytes)
                out.end(with: bytes)
            // The client must see that the body is not complete.
            case .failure: out.cutOff()
            }
        }
    }

    private func write(_ bytes: [UInt8]) {
        count(bytes)
        out.write(bytes)
    }

    private func count(_ bytes: [UInt8]) {
        let (former, all) = sentByteCount.add(bytes.count, ordering: .relaxed)
        charge(former..<all)
    }
}
