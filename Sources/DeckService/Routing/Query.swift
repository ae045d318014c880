import DeckEngine
import DeckWire
import MicroHTTP

/// The query of a request. Every parameter must be known and may occur only once.
struct Query: Sendable {
    private let items: [RequestTarget.QueryItem]

    init(_ target: RequestTarget, allowing names: [String]) throws(Problem) {
        guard !target.query.isEmpty else {
            items = []
            return
        }
        // The token was checked before.
        items = target.query.filter { $0.name != Credentials.parameter }
        var seen: Set<String> = []
        for item in items {
            guard names.contains(item.name) else {
                let known =
                    names.isEmpty ? "This path has no parameters" : "Known parameters: \(names.joined(separator: ", "))"
                throw Problem(.malformedQuery, "The parameter \(item.name.prefix(64)) is unknown. \(known).")
            }
            guard seen.insert(item.name).inserted else {
                let detail = "The parameter \(item.name) is given twice. A list has commas between its values."
                throw Problem(.malformedQuery, detail)
            }
        }
    }

    func text(_ name: String) -> String? {
        items.first { $0.name == name }.map { $0.value ?? "" }
    }

    /// A whole number in a range; nil if the parameter is not there.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = text(name) else { return nil }
        guard text.isDecimal, let number = Int(text), range.contains(number) else {
            throw Problem(
                .malformedQuery,
                "The parameter \(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    /// A number in a range; nil if the parameter is not there.
    func number(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
        guard let text = text(name) else { return nil }
        guard text.isDecimal, let number = Double(text), range.contains(number) else {
            let (low, high) = (JSONWriter.text(of: range.lowerBound), JSONWriter.text(of: range.upperBound))
            throw Problem(.malformedQuery, "The parameter \(name) must be a number from \(low) to \(high).")
        }
        return number
    }

    /// A moment on a session's clock, rounded as answers write it; nil if the parameter is not there.
    func moment(_ name: String) throws(Problem) -> Instant? {
        try number(name, in: EventLimits.moments).map { Instant($0).roundedToNanoseconds }
    }

    /// A parameter that is one of a few words; nil if it is not there.
    func word(_ name: String, of words: [String]) throws(Problem) -> String? {
        guard let text = text(name) else { return nil }
        guard words.contains(text) else {
            throw Problem(.malformedQuery, "The parameter \(name) must be one of: \(words.joined(separator: ", ")).")
        }
        return text
    }

    func flag(_ name: String) throws(Problem) -> Bool {
        try word(name, of: ["true", "false"]) == "true"
    }
}

extension String {
    /// Whether a number is written as in JSON. Swift also reads hexadecimal digits, and signs and points in other places.
    fileprivate var isDecimal: Bool {
        let known = UInt8(ascii: "0")...UInt8(ascii: "9")
        func isDigit(_ byte: UInt8?) -> Bool { byte.map(known.contains) ?? false }
        let digits = utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8[...]
        guard isDigit(digits.first), isDigit(digits.last) else { return false }
        return digits.allSatisfy { isDigit($0) || "+-.eE".utf8.contains($0) }
    }
}
