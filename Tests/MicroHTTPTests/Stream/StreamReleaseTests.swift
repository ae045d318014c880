import Testing

@testable import MicroHTTP

/// What writes a stream retains it, and its closure retains what writes it.
struct StreamReleaseTests {
    private final class Source: Sendable {
        let stream: BodyStream

        init(_ stream: BodyStream) {
            self.stream = stream
        }
    }

    private func makeStream() throws -> BodyStream {
        BodyStream(
            mailbox: try Mailbox(),
            budget: ResponseBudget(limitBytes: 1000),
            bufferBytes: 1000,
            heartbeat: [],
            closing: nil,
            onEnd: { _ in }
        )
    }

    /// A source that only its stream retains.
    private func makeSource(of stream: BodyStream) -> () -> Source? {
        let source = Source(stream)
        stream.whenTaken { source.stream.write([1]) }
        return { [weak source] in source }
    }

    @Test(arguments: [StreamBuffer.FinishEvent.complete, .broken, .dropped])
    func aStreamThatIsOverReleasesItsSource(event: StreamBuffer.FinishEvent) throws {
        let stream = try makeStream()
        let source = makeSource(of: stream)
        #expect(source() != nil)
        stream.finish(event)
        #expect(source() == nil)
    }

    /// The application can set the closure after the client has left.
    @Test func aStreamThatIsOverTakesNoSource() throws {
        let stream = try makeStream()
        stream.finish(.broken)
        #expect(makeSource(of: stream)() == nil)
    }
}
