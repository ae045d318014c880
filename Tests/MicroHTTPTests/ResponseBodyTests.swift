import Foundation
import MicroHTTP
import Testing

struct ResponseBodyTests {
    @Test(arguments: [[], [7], Array("a body".utf8), [UInt8](repeating: 9, count: 100_000)])
    func aBodyHasTheBytesItWasMadeOf(bytes: [UInt8]) {
        let body = ResponseBody(bytes)
        #expect(body.count == bytes.count)
        #expect(body.bytes == bytes)
        #expect(body == ResponseBody(bytes))
        #expect(body != ResponseBody(bytes + [1]))
    }

    @Test func aBodyWithoutBytesIsTheEmptyOne() {
        #expect(ResponseBody() == ResponseBody([]))
        #expect(ResponseBody().bytes.isEmpty)
    }

    @Test func aBodyTakesMemoryAsItIs() throws {
        let start = try #require(malloc(4))
        start.copyMemory(from: [1, 2, 3, 4] as [UInt8], byteCount: 4)
        #expect(ResponseBody(taking: start, count: 4).bytes == [1, 2, 3, 4])
    }
}
