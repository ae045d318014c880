internal import Glibc

extension JSONParser {
    /// Parses a document as the method of a parser does, with a parser that the calling thread uses again for its next
    /// document.
    public static func read<Result>(
        _ bytes: [UInt8],
        depth: Int = bodyDepth,
        _ body: (JSONValue) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        let parser = take() ?? JSONParser()
        defer { put(parser) }
        return try parser.read(bytes, depth: depth, body)
    }

    /// The place where a thread has its parser. The parser is released when the thread ends.
    private static let place: pthread_key_t? = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { parser in
            if let parser { Unmanaged<JSONParser>.fromOpaque(parser).release() }
        }
        return status == 0 ? key : nil
    }()

    /// Takes the thread's parser out of its place, so that a document that is read meanwhile gets another one.
    private static func take() -> JSONParser? {
        guard let place, let parser = pthread_getspecific(place) else { return nil }
        pthread_setspecific(place, nil)
        return Unmanaged.fromOpaque(parser).takeRetainedValue()
    }

    /// Puts a parser into the thread's place.
    private static func put(_ parser: JSONParser) {
        guard let place else { return }
        if let other = pthread_getspecific(place) { Unmanaged<JSONParser>.fromOpaque(other).release() }
        let retained = Unmanaged.passRetained(parser)
        if pthread_setspecific(place, retained.toOpaque()) != 0 { retained.release() }
    }
}
