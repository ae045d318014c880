import DeckWire

/// What a document holds, copied out of the parser in every way it can be read.
indirect enum Tree: Equatable {
    case object([String: Tree])
    case array([Tree])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    init(_ value: JSONValue, members: [StaticString] = []) throws(WireError) {
        switch value.kind {
        case .object:
            var object: [String: Tree] = [:]
            for name in members {
                if let member = value.peek(name) { object[name.description] = try Tree(member, members: members) }
            }
            self = .object(object)
        case .array:
            var array: [Tree] = []
            for element in try value.array() { array.append(try Tree(element, members: members)) }
            self = .array(array)
        case .string: self = .string(try value.string(maxBytes: .max))
        case .number: self = .number(try value.number())
        case .bool: self = .bool(try value.bool())
        case .null: self = .null
        }
    }
}

func read<Result>(
    _ text: String,
    _ body: (JSONValue) throws(WireError) -> Result
) throws(WireError) -> Result {
    try JSONParser().read(Array(text.utf8), body)
}

func tree(_ text: String, members: [StaticString] = []) throws(WireError) -> Tree {
    try read(text) { (value) throws(WireError) in try Tree(value, members: members) }
}

/// The error a document, or the reading of it, ends with; nil if there is none.
func refusal(_ bytes: [UInt8], _ body: (JSONValue) throws(WireError) -> Void = { _ in }) -> WireError? {
    do {
        try JSONParser().read(bytes, body)
        return nil
    } catch {
        return error
    }
}

func refusal(_ text: String, _ body: (JSONValue) throws(WireError) -> Void = { _ in }) -> WireError? {
    refusal(Array(text.utf8), body)
}

func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

extension JSONValue {
    /// The value's text in the document, exactly, without the whitespace around it.
    var rawText: String {
        String(decoding: rawBytes, as: UTF8.self)
    }
}
