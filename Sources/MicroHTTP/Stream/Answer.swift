/// What an exchange is answered with.
enum Answer: Sendable, Equatable {
    case whole(Response)
    case stream(StreamHead, EventStream)

    static func == (one: Answer, other: Answer) -> Bool {
        switch (one, other) {
        case (.whole(let one), .whole(let other)): one == other
        case (.stream(let one, let stream), .stream(let other, let otherStream)):
            one == other && stream === otherStream
        case (.whole, .stream), (.stream, .whole): false
        }
    }
}

/// What goes before a stream's body.
struct StreamHead: Sendable, Equatable {
    let status: Int
    var headers: HeaderFields
}
