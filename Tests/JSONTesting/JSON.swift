package import Foundation

/// A JSON value, decoded by Foundation rather than by the project's own parser. A member or an element that does not
/// exist reads as `missing`.
package enum JSON: Equatable, Sendable {
    case object([String: JSON])
    case array([JSON])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null
    case missing

    package init(parsing data: Data) throws {
        self = try JSONDecoder().decode(JSON.self, from: data)
    }

    package init(parsing text: String) throws {
        try self.init(parsing: Data(text.utf8))
    }

    package subscript(_ name: String) -> JSON {
        members[name] ?? .missing
    }

    package subscript(_ index: Int) -> JSON {
        elements.indices.contains(index) ? elements[index] : .missing
    }

    package var members: [String: JSON] {
        if case .object(let members) = self { members } else { [:] }
    }

    package var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var flag: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// The number; NaN, which no comparison accepts, if the value is not a number.
    package var number: Double {
        if case .number(let number) = self { number } else { .nan }
    }

    package var numbers: [Double] {
        elements.map(\.number)
    }

    /// The numbers of an object's members, in the order of these names.
    package func numbers(_ names: String...) -> [Double] {
        names.map { self[$0].number }
    }

    /// The string that each element has under a name.
    package func texts(_ name: String) -> [String?] {
        elements.map { $0[name].text }
    }

    /// The same value with another one at a path of member names. A member that does not exist is not added.
    package func replacing(_ path: [String], with value: JSON) -> JSON {
        guard let name = path.first else { return value }
        guard case .object(var members) = self, let former = members[name] else { return self }
        members[name] = former.replacing(Array(path.dropFirst()), with: value)
        return .object(members)
    }
}

extension JSON: Decodable {
    package init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let value = try? single.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? single.decode(Double.self) {
            self = .number(value)
        } else if let value = try? single.decode(String.self) {
            self = .string(value)
        } else if let value = try? single.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try single.decode([String: JSON].self))
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(integerLiteral value: Int) { self = .number(Double(value)) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }
}
