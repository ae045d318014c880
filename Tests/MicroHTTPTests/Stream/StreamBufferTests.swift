import Testing

@testable import MicroHTTP

struct StreamBufferTests {
    private var buffer = StreamBuffer(limitBytes: 10)

    private func read(_ buffer: inout StreamBuffer, _ count: Int = 100) -> (StreamBuffer.ReadAction, String) {
        var space = [UInt8](repeating: 0, count: count)
        let action = space.withUnsafeMutableBytes { buffer.read(into: $0) }
        guard case .sent(let bytes) = action else { return (action, "") }
        return (action, String(decoding: space.prefix(bytes), as: UTF8.self))
    }

    @Test func whatIsWrittenIsReadInOrder() {
        var buffer = buffer
        #expect(buffer.write(Array("abc".utf8)) == .none)
        #expect(buffer.write(Array("def".utf8)) == .none)
        #expect(read(&buffer, 4) == (.sent(bytes: 4), "abcd"))
        #expect(buffer.write(Array("gh".utf8)) == .none)
        #expect(read(&buffer) == (.sent(bytes: 4), "efgh"))
        #expect(buffer.waitingBytes == 0)
    }

    @Test func aParkedReaderIsWokenOnce() {
        var buffer = buffer
        #expect(read(&buffer).0 == .park)
        #expect(buffer.write([]) == .none)
        #expect(buffer.write([1]) == .serve)
        #expect(buffer.write([2]) == .none)
        #expect(buffer.end() == .none)
        #expect(read(&buffer).0 == .sent(bytes: 2))
        #expect(read(&buffer).0 == .finish)
    }

    @Test func theEndWakesAParkedReader() {
        var buffer = buffer
        #expect(read(&buffer).0 == .park)
        #expect(buffer.end() == .serve)
        #expect(buffer.end() == .none)
        #expect(buffer.write([1]) == .refuse)
        #expect(read(&buffer).0 == .finish)
        #expect(buffer.finish(.complete) == .ended)
    }

    @Test func aByteTooManyCutsOff() {
        var buffer = buffer
        #expect(buffer.write([UInt8](repeating: 0, count: 10)) == .none)
        #expect(buffer.write([0]) == .cutOff)
        #expect(buffer.write([0]) == .refuse)
        #expect(buffer.isCutOff)
        #expect(buffer.waitingBytes == 0)
        #expect(read(&buffer).0 == .abort)
        #expect(buffer.finish(.broken) == .overflow)
    }

    @Test func whatWasReadMakesRoom() {
        var buffer = buffer
        for _ in 0..<1_000 {
            #expect(buffer.write([UInt8](repeating: 0, count: 6)) == .none)
            #expect(read(&buffer, 5).0 == .sent(bytes: 5))
            #expect(buffer.write([]) == .none)
            #expect(read(&buffer, 1).0 == .sent(bytes: 1))
        }
        // A reader that never empties it must not have it grow.
        #expect(buffer.write([0, 1, 2, 3, 4]) == .none)
        for _ in 0..<1_000 {
            #expect(buffer.write([0, 1, 2]) == .none)
            #expect(read(&buffer, 3).0 == .sent(bytes: 3))
            #expect(buffer.storedBytes <= 20)
        }
    }

    @Test func aHeartbeatIsLeftOutWhileBytesWait() {
        var buffer = buffer
        #expect(read(&buffer).0 == .park)
        #expect(buffer.beat([1]) == .serve)
        #expect(buffer.beat([1]) == .none)
        #expect(buffer.waitingBytes == 1)
        #expect(buffer.end() == .none)
        #expect(read(&buffer).0 == .sent(bytes: 1))
        #expect(buffer.beat([1]) == .none)
        #expect(buffer.waitingBytes == 0)
    }

    @Test func theClosingBytesFollowWhatWaits() {
        var buffer = buffer
        #expect(buffer.write(Array("0123456789".utf8)) == .none)
        #expect(buffer.stop(Array(" bye".utf8)) == .none)
        #expect(buffer.stop(Array(" again".utf8)) == .none)
        #expect(buffer.write([1]) == .refuse)
        #expect(read(&buffer) == (.sent(bytes: 14), "0123456789 bye"))
        #expect(read(&buffer).0 == .finish)
        #expect(buffer.finish(.complete) == .stopping)
    }

    @Test func theLastBytesComeWithTheEnd() {
        var buffer = buffer
        #expect(buffer.write(Array("0123456789".utf8)) == .none)
        #expect(buffer.end(with: Array(" end".utf8)) == .none)
        #expect(buffer.end(with: Array(" again".utf8)) == .none)
        #expect(!buffer.isOpen)
        #expect(read(&buffer) == (.sent(bytes: 14), "0123456789 end"))
        #expect(read(&buffer).0 == .finish)
        #expect(buffer.finish(.complete) == .ended)
    }

    @Test func theEndSaysWhy() {
        for cause in [BodyStream.End.overflow, .cutOff, .stopping] {
            var cut = buffer
            #expect(cut.cutOff(cause) == .cutOff)
            #expect(cut.cutOff(.clientLeft) == .refuse)
            #expect(cut.finish(.broken) == cause)
        }
        var (open, ended, broken) = (buffer, buffer, buffer)
        #expect(open.finish(.broken) == .clientLeft)
        #expect(open.write([1]) == .refuse)
        // The answer to HEAD is complete before the application ends it.
        #expect(ended.finish(.complete) == .ended)
        #expect(broken.end() == .none)
        #expect(broken.finish(.broken) == .clientLeft)
        var dropped = buffer
        #expect(dropped.stop([1]) == .none)
        #expect(dropped.finish(.dropped) == .notBegun)
    }
}
