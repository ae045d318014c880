import Testing

@testable import MicroHTTP

final class StreamBudgetTests {
    private let budget = ResponseBudget(limitBytes: 100_000)
    private let mailbox: Mailbox

    init() throws {
        mailbox = try Mailbox()
    }

    // Its messages retain the stream, which retains it.
    deinit {
        _ = mailbox.shut()
    }

    private func stream() throws -> BodyStream {
        BodyStream(
            mailbox: mailbox,
            budget: budget,
            bufferBytes: 100_000,
            heartbeat: [],
            closing: nil,
            onEnd: { _ in }
        )
    }

    private func read(_ count: Int, of stream: BodyStream) {
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { space.deallocate() }
        #expect(stream.read(into: space) == .sent(bytes: count))
    }

    @Test func whatAClientHasTakenIsReturnedThoughSomethingAlwaysWaits() throws {
        let stream = try stream()
        #expect(stream.write([0]))
        for _ in 0..<20 {
            #expect(stream.write([UInt8](repeating: 0, count: 30_000)))
            read(30_000, of: stream)
            #expect(budget.usedBytes <= 1)
        }
        #expect(!stream.isTaken)
        stream.finish(.broken)
        #expect(budget.usedBytes == 0)
    }

    @Test func whatIsRefusedIsReturned() throws {
        let stream = try stream()
        #expect(stream.write([UInt8](repeating: 0, count: 60_000)))
        #expect(!stream.write([UInt8](repeating: 0, count: 60_000)))
        stream.finish(.broken)
        #expect(budget.usedBytes == 0)
    }

    @Test func theLastBytesAreReturned() throws {
        let stream = try stream()
        stream.end(with: [UInt8](repeating: 0, count: 60_000))
        #expect(budget.usedBytes == 60_000)
        read(60_000, of: stream)
        #expect(budget.usedBytes == 0)
        stream.finish(.complete)
        #expect(budget.usedBytes == 0)
    }
}
