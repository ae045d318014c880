import DeckJournal
import DeckWire

// The parameters that select sessions and rows of the feed.
extension Query {
    /// A parameter that is an id; nil if it is not there.
    func identifier(_ name: String) throws(Problem) -> String? {
        guard let text = text(name) else { return nil }
        guard isIdentifier(text) else { throw Problem(.malformedQuery, "The parameter \(name) must be an id.") }
        return text
    }

    /// A parameter that is the name of a user; nil if it is not there.
    func user(_ name: String) throws(Problem) -> UserName? {
        guard let text = text(name) else { return nil }
        guard isUserName(text) else {
            let detail = "The parameter \(name) must have 1 to 128 characters, without control characters."
            throw Problem(.malformedQuery, detail)
        }
        return UserName(text)
    }
}

extension String {
    /// The text as a value in a query, in which only unreserved characters (RFC 3986, section 2.3) stand for themselves.
    var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
