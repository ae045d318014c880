import DeckWire
import Foundation
import JSONTesting
import Logging
import MicroHTTP
import Testing

@testable import DeckService

@Suite struct ProblemTests {
    private func document(_ problem: Problem, instance: String? = nil) throws -> JSON {
        var writer = JSONWriter()
        problem.write(instance: instance, to: &writer)
        return try JSON(parsing: Data(writer.bytes))
    }

    @Test(arguments: ProblemKind.allCases)
    func aProblemDocumentSaysWhatAndHow(kind: ProblemKind) throws {
        let document = try document(Problem(kind, "Just so."), instance: "/v1/x")
        #expect(
            document == [
                "type": .string("/problems/\(kind.rawValue)"), "title": .string(kind.title),
                "status": .number(Double(kind.status)), "detail": "Just so.", "instance": "/v1/x",
            ]
        )
    }

    /// A request that waits for the disk when the server ends may still be committed.
    @Test(arguments: [HTTPMethod.get, .post, .patch, .delete])
    func aStopSaysIfAChangeIsNotConfirmed(method: HTTPMethod) throws {
        let service = DeckService(logger: Logger(label: "test"))
        let head = RequestHead(method: method, target: try RequestTarget("/v1/sessions/a"))
        let response = service.response(to: .stopping, head: head)
        let problem = try JSON(parsing: Data(response.body.bytes))
        #expect(response.status == 503 && problem["type"] == "/problems/stopping")
        #expect(problem["detail"].text?.contains("before the change was confirmed") == (method != .get))
    }

    /// A client must know whether to send a change again if there is no room for its response.
    @Test(arguments: [200, 412]) func aResponseWithoutRoomLeavesItsStatus(status: Int) throws {
        let service = DeckService(logger: Logger(label: "test"))
        let response = service.response(to: .overloaded(status: status), head: nil)
        let problem = try JSON(parsing: Data(response.body.bytes))
        #expect(response.status == 503 && problem["type"] == "/problems/overloaded")
        #expect(problem["detail"].text?.contains("was carried out, and its response had the status \(status)") == true)
    }

    /// A client that obeys Retry-After must not make a change twice.
    @Test func aChangeThatWasCarriedOutIsNotSentAgain() throws {
        let key: HeaderFields = ["Idempotency-Key": #""k""#]
        let service = DeckService(logger: Logger(label: "test"))
        for (method, headers, isRepeatable) in [
            (HTTPMethod.get, [:], true), (.post, [:], false), (.patch, [:], false), (.delete, [:], true),
            (.put, [:], true), (.post, key, true), (.patch, key, true),
        ] {
            let head = RequestHead(method: method, target: try RequestTarget("/v1/sessions"), headers: headers)
            let response = service.response(to: .overloaded(status: 201), head: head)
            #expect(response.status == 503 && response.headers.contains("Retry-After") == isRepeatable)
        }
    }

    @Test func kindsAreWellNamed() {
        for kind in ProblemKind.allCases {
            #expect(kind.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
            #expect((400...599).contains(kind.status))
            #expect(!kind.title.isEmpty && !kind.title.hasSuffix("."))
            #expect(kind.explanation.hasSuffix("."))
        }
        #expect(Set(ProblemKind.allCases.map(\.title)).count == ProblemKind.allCases.count)
    }

    @Test func aBodyThatCannotBeReadIsAProblemOf400WithPointers() throws {
        let error = WireError(.malformed, at: "/rules/a~1b", "must be \"a number\"")
        let problem = Problem(error)
        #expect(problem.kind == .malformedRequest)
        let document = try document(problem)
        #expect(document["status"] == 400)
        #expect(document["instance"] == .missing)
        #expect(document["errors"] == [["pointer": "/rules/a~1b", "detail": "must be \"a number\""]])
        #expect(document["detail"] == "/rules/a~1b must be \"a number\".")
    }

    @Test func aValueOutOfItsRangeIsAProblemOf422() {
        let problem = Problem(WireError(.outOfRange, at: "", "is too small"))
        #expect(problem.kind == .outOfRange)
        #expect(problem.kind.status == 422)
        #expect(problem.issue == WireIssue(pointer: "", detail: "is too small"))
        #expect(problem.detail == "The body is too small.")
    }

    @Test func shortMemoryIsNoFaultOfTheClient() {
        let problem = Problem(WireError(.memoryShort, at: "", "cannot be read because there is not enough memory"))
        #expect(problem.kind == .memoryShort)
        #expect(problem.kind.status == 503)
        #expect(problem.detail == "The body cannot be read because there is not enough memory.")
    }
}
