import DeckWire
import Testing

@Suite struct ProblemTests {
    @Test(arguments: ProblemKind.allCases)
    func aProblemDocumentSaysWhatAndHow(kind: ProblemKind) throws {
        let text = written { Problem(kind, "Just so.").write(instance: "/v1/x", to: &$0) }
        let document = try Plain(text).members
        #expect(document["type"] == .string("/problems/\(kind.rawValue)"))
        #expect(document["title"] == .string(kind.title))
        #expect(document["status"] == .number(Double(kind.status)))
        #expect(document["detail"] == .string("Just so."))
        #expect(document["instance"] == .string("/v1/x"))
        #expect(document.count == 5)
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
        let document = try Plain(written { problem.write(instance: nil, to: &$0) })
        #expect(document["status"] == .number(400))
        #expect(document["instance"] == nil)
        let issue: [String: Plain] = [
            "pointer": .string("/rules/a~1b"), "detail": .string("must be \"a number\""),
        ]
        #expect(document["errors"] == .array([.object(issue)]))
        #expect(document["detail"] == .string("/rules/a~1b must be \"a number\"."))
    }

    @Test func aValueOutOfItsRangeIsAProblemOf422() {
        let several = WireError(
            .outOfRange,
            WireIssue(pointer: "/a", detail: "is too large"),
            WireIssue(pointer: "", detail: "is too small")
        )
        let problem = Problem(several)
        #expect(problem.kind == .outOfRange)
        #expect(problem.kind.status == 422)
        #expect(problem.issues == several.errors)
        #expect(problem.detail == "/a is too large. The body is too small.")
    }

    @Test func shortMemoryIsNoFaultOfTheClient() {
        let problem = Problem(WireError(.memoryShort, at: "", "cannot be read, because memory is short"))
        #expect(problem.kind == .memoryShort)
        #expect(problem.kind.status == 503)
        #expect(problem.detail == "The body cannot be read, because memory is short.")
    }
}
