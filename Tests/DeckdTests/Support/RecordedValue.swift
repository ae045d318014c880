import Foundation

/// A JSON value of an answer that was recorded, to be compared with the answer that is given now.
enum RecordedValue: Equatable, Sendable, Decodable {
    case object([String: RecordedValue])
    case array([RecordedValue])
    case text(String)
    case number(Double)
    case flag(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let value = try? single.decode(Bool.self) {
            self = .flag(value)
        } else if let value = try? single.decode(Double.self) {
            self = .number(value)
        } else if let value = try? single.decode(String.self) {
            self = .text(value)
        } else if let value = try? single.decode([RecordedValue].self) {
            self = .array(value)
        } else {
            self = .object(try single.decode([String: RecordedValue].self))
        }
    }

    init(parsing text: String) throws {
        self = try JSONDecoder().decode(RecordedValue.self, from: Data(text.utf8))
    }

    /// Numbers are written with six decimals. One that lies between two of them may be rounded either way.
    static let tolerance = 1.001e-6

    /// Where another value differs from this one, each as a JSON pointer and both values. Members that only the other
    /// value has are no difference.
    func differences(in other: RecordedValue, at pointer: String = "") -> [String] {
        switch (self, other) {
        case (.object(let recorded), .object(let given)):
            recorded.sorted { $0.key < $1.key }.flatMap { name, value in
                given[name].map { value.differences(in: $0, at: "\(pointer)/\(name)") }
                    ?? ["\(pointer)/\(name) is missing"]
            }
        case (.array(let recorded), .array(let given)) where recorded.count == given.count:
            recorded.indices.flatMap { recorded[$0].differences(in: given[$0], at: "\(pointer)/\($0)") }
        case (.number(let recorded), .number(let given)) where abs(recorded - given) <= Self.tolerance: []
        case (.text(let recorded), .text(let given))
        where pointer.hasSuffix("/easing") && Self.areClose(recorded, given): []
        default: self == other ? [] : ["\(pointer) is \(other), was \(self)"]
        }
    }

    /// Whether two easing functions are the same but for the last decimal of their numbers.
    private static func areClose(_ left: String, _ right: String) -> Bool {
        let number = /[0-9.]+/
        let (ours, theirs) = (left.matches(of: number), right.matches(of: number))
        return left.replacing(number, with: "#") == right.replacing(number, with: "#")
            && zip(ours, theirs).allSatisfy { pair in
                guard let ours = Double(pair.0.output), let theirs = Double(pair.1.output) else { return false }
                return abs(ours - theirs) <= tolerance
            }
    }
}
