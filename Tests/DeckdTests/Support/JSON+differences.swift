import JSONTesting

extension JSON {
    /// Numbers are written with six decimals. One that lies between two of them may be rounded either way.
    private static let tolerance = 1.001e-6

    /// Where another answer differs from this recorded one, each as a JSON pointer and both values. A member that only
    /// the other answer has is not a difference.
    func differences(in other: JSON, at pointer: String = "") -> [String] {
        switch (self, other) {
        case (.object(let recorded), .object(let given)):
            recorded.sorted { $0.key < $1.key }.flatMap { name, value in
                given[name].map { value.differences(in: $0, at: "\(pointer)/\(name)") }
                    ?? ["\(pointer)/\(name) is missing"]
            }
        case (.array(let recorded), .array(let given)) where recorded.count == given.count:
            recorded.indices.flatMap { recorded[$0].differences(in: given[$0], at: "\(pointer)/\($0)") }
        case (.number(let recorded), .number(let given)) where abs(recorded - given) <= Self.tolerance: []
        case (.string(let recorded), .string(let given))
        where pointer.hasSuffix("/easing") && Self.areClose(recorded, given): []
        default: self == other ? [] : ["\(pointer) is \(other), was \(self)"]
        }
    }

    /// Whether two easing functions differ only in the last decimal of their numbers.
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
