internal import Glibc

/// What the application has said of a head that it accepts; see ``Admission``.
struct Acceptance {
    var bodyLimitBytes: Int
    var label: Int
    var plan: (any RequestPlan)?
}

/// A head that the application has accepted, with everything that follows from it.
final class KnownHead {
    let head: RequestHead
    /// The address of the client, if it comes from the head and not from the connection.
    let sender: ClientAddress?
    let acceptance: Acceptance

    private let bytes: [UInt8]
    private let target: [UInt8]
    private let places: [RawHead.FieldPlace]
    /// The client of the connection and whether it forwards: the head's peer depends on both.
    private let host: String
    private let forwards: Bool

    init(_ raw: RawHead, head: RequestHead, sender: ClientAddress?, _ acceptance: Acceptance) {
        self.head = head
        self.sender = sender
        self.acceptance = acceptance
        bytes = Array(raw.bytes)
        target = raw.target
        places = raw.places
        host = raw.client.host
        forwards = raw.client.forwards
    }

    /// Whether a head is the same. Its bytes alone do not show what the library has read from them, so the places of its headers
    /// are compared, too: a head that passes has been checked by ``HeadForm`` before.
    func isSame(as raw: RawHead) -> Bool {
        bytes.count == raw.bytes.count && places == raw.places && target == raw.target
            && host == raw.client.host && forwards == raw.client.forwards
            && bytes.withUnsafeBytes { Self.areSame($0, raw.bytes) }
    }

    /// Whether two heads of the same length have the same bytes.
    private static func areSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard let one = one.baseAddress, let start = other.baseAddress else { return false }
        return memcmp(one, start, other.count) == 0
    }
}
