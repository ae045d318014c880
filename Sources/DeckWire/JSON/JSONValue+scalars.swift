import CSimdJSON

extension JSONValue {
    /// The largest whole number that a double distinguishes from its neighbours, 2^53 − 1 (RFC 8259, section 6).
    static let largestInteger = 9_007_199_254_740_991

    /// The value of true or false.
    public func bool() throws(WireError) -> Bool {
        switch node.pointee.kind {
        case .true: return true
        case .false: return false
        case .object, .array, .string, .number, .null: throw mismatch("true or false")
        }
    }

    /// The string, unescaped, if its UTF-8 is at most this long.
    public func string(maxBytes: Int) throws(WireError) -> String {
        guard node.pointee.kind == .string else { throw mismatch("a string") }
        let text = text
        guard text.count <= maxBytes else {
            throw outOfRange("must be at most \(maxBytes) bytes long, not \(text.count)")
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The index of the value in these strings. Any other string is out of range.
    public func choice(of names: [StaticString]) throws(WireError) -> Int {
        guard node.pointee.kind == .string else { throw mismatch("a string") }
        let text = text
        for index in names.indices where text.isEqual(to: names[index]) { return index }
        throw outOfRange("must be one of: \(Self.list(names))")
    }

    /// The number, always finite, if it is in the range.
    public func number(
        in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) throws(WireError) -> Double {
        guard node.pointee.kind == .number else { throw mismatch("a number") }
        let number = node.pointee.number
        guard range.contains(number) else { throw outOfRange(Self.rule("a number", range, not: shortText)) }
        return number
    }

    /// The whole number, if it is in the range and between −(2^53 − 1) and 2^53 − 1.
    ///
    /// 3.0 and 3e0 are whole numbers; 3.5 is malformed, as a value of another type is.
    public func integer(in range: ClosedRange<Int>) throws(WireError) -> Int {
        guard node.pointee.kind == .number else { throw mismatch("a whole number") }
        let number = node.pointee.number
        guard number == number.rounded(.towardZero) else {
            throw malformed("must be a whole number, not \(shortText)")
        }
        let known = -Double(Self.largestInteger)...Double(Self.largestInteger)
        guard known.contains(number), let whole = Int(exactly: number), range.contains(whole) else {
            throw outOfRange(Self.rule(range, not: shortText))
        }
        return whole
    }
}

extension JSONValue {
    /// The number as it is in the document. A long one is cut.
    private var shortText: String {
        let raw = rawBytes
        let text = String(decoding: raw.prefix(32), as: UTF8.self)
        return raw.count > 32 ? text + "…" : text
    }

    static func list(_ names: [StaticString]) -> String {
        names.map(\.description).joined(separator: ", ")
    }

    private static func rule(_ noun: String, _ range: ClosedRange<Double>, not text: String) -> String {
        let low = JSONWriter.text(of: range.lowerBound)
        let high = JSONWriter.text(of: range.upperBound)
        let isOpenBelow = range.lowerBound <= -Double.greatestFiniteMagnitude
        let isOpenAbove = range.upperBound >= Double.greatestFiniteMagnitude
        return switch (isOpenBelow, isOpenAbove) {
        case (true, true): "must be \(noun), not \(text)"
        case (true, false): "must be \(noun) of at most \(high), not \(text)"
        case (false, true): "must be \(noun) of at least \(low), not \(text)"
        case (false, false): "must be \(noun) from \(low) to \(high), not \(text)"
        }
    }

    /// A bound beyond the limit of doubles cannot be reached, so the message has the limit of doubles.
    private static func rule(_ range: ClosedRange<Int>, not text: String) -> String {
        let low = max(range.lowerBound, -largestInteger)
        let high = min(range.upperBound, largestInteger)
        return "must be a whole number from \(low) to \(high), not \(text)"
    }
}
