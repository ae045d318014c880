/// The answer to an exchange.
enum Answer: Sendable, Equatable {
    case whole(Response)
    case stream(StreamHead, BodyStream)

    static func == (one: Answer, other: Answer) -> Bool {
        switch (one, other) {
        case (.whole(let one), .whole(let other)): one == other
        case (.stream(let one, let stream), .stream(let other, let otherStream)):
            one == other && stream === otherStream
        case (.whole, .stream), (.stream, .whole): false
        }
    }
}

/// The status and the headers of a stream.
struct StreamHead: Sendable, Equatable {
    let status: Int
    var headers: HeaderFields
}
