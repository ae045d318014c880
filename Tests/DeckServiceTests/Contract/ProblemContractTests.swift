import DeckEngine
import DeckWire
import Foundation
import Testing
import Yams

@testable import DeckService

/// Every problem and every reason of a refusal is in the documents, and nothing else is.
struct ProblemContractTests {
    @Test func theDocumentHasEveryProblemAndNoOther() throws {
        let types = try OpenAPIDocument().choices("components/schemas/ProblemType")
        #expect(types.sorted() == ProblemKind.allCases.map { "/problems/\($0.rawValue)" }.sorted())
        let names = try OpenAPIDocument().schema("ProblemType")["x-enum-varnames"]?.sequence?.compactMap(\.string)
        #expect(names == types.map { $0.split(separator: "/")[1].split(separator: "-").map(\.capitalized).joined() })
    }

    /// The types and the status of a response's problem. They stand in a condition that every problem meets, because
    /// generators of clients would make another type of properties beside the reference.
    private func problem(of response: Node) -> Node? {
        response["content"]?["application/problem+json"]?["schema"]?["dependentSchemas"]?["type"]?["properties"]
    }

    @Test func everyProblemIsAmongThoseOfItsStatus() throws {
        let document = try OpenAPIDocument()
        var described: [Int: Set<String>] = [:]
        for (name, response) in try document.members("components/responses") {
            // Only a problem has its own schema beside the reference.
            guard let schema = problem(of: response) else { continue }
            let status = try #require(schema["status"]?["const"]?.int, "\(name)")
            let types = try #require(schema["type"]?["enum"]?.sequence).compactMap(\.string)
            // A probe has the same problems as any other operation that is unavailable. What is gone is a session or a cursor.
            #expect(described[status] == nil || described[status] == Set(types) || status == 410, "\(name)")
            described[status, default: []].formUnion(types)
        }
        let kinds = Dictionary(grouping: ProblemKind.allCases, by: \.status)
        #expect(described == kinds.mapValues { Set($0.map { "/problems/\($0.rawValue)" }) })
    }

    @Test func anAnswersStatusIsThatOfItsProblems() throws {
        let document = try OpenAPIDocument()
        for operation in try document.operations() {
            for (status, node) in try #require(operation.node["responses"]?.mapping) {
                let response = try document.resolve(node)
                guard response["content"]?["application/problem+json"] != nil else { continue }
                let constant = try #require(problem(of: response)?["status"]?["const"]?.int, "\(operation.name)")
                #expect(status.string == "\(constant)", "\(operation.name)")
            }
        }
    }

    @Test func theDocumentHasEveryRefusalAndNoOther() throws {
        let document = try OpenAPIDocument()
        #expect(try document.choices("components/schemas/Refusal") == Refusal.allCases.map(\.rawValue))
        #expect(try document.choices("components/schemas/ResetReason") == ResetReason.allCases.map(\.rawValue))
        // A result's reason is one of either.
        let reasons = Set(Refusal.allCases.map(\.rawValue)).union(ResetReason.allCases.map(\.rawValue))
        #expect(try document.choices("components/schemas/Reason").sorted() == reasons.sorted())
    }

    /// The rows of the table under a heading of `docs/errors.md`, each as its cells.
    private func rows(under heading: String) throws -> [[String]] {
        let text = try String(contentsOf: repository.appending(path: "docs/errors.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
        let lines = section.components(separatedBy: "\n## ")[0].split(separator: "\n")
        return lines.filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func thePageOfErrorsSaysOfProblemsWhatTheServerSays() throws {
        // The first table has the members of the document, which have two cells.
        let listed = try rows(under: "Problems").filter { $0.count == 4 }
        let kinds = ProblemKind.allCases.map { ["`\($0.rawValue)`", "\($0.status)", $0.title, $0.explanation] }
        let lines = listed.map { $0.joined(separator: " | ") }
        #expect(lines.sorted() == kinds.map { $0.joined(separator: " | ") }.sorted())
    }

    @Test func thePageOfErrorsHasEveryReasonAndNoOther() throws {
        let refusals = try rows(under: "Refusals").map { $0[0] }
        #expect(refusals == Refusal.allCases.map { "`\($0.rawValue)`" })
        let resets = try rows(under: "Resets").map { $0[0] }
        #expect(resets == ResetReason.allCases.map { "`\($0.rawValue)`" })
    }
}
