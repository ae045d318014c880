import Foundation
import MicroHTTP
import Testing
import Yams

@testable import DeckService

/// `docs/openapi.yaml`, to look into: a name leads to a member, and a reference to what it names.
struct OpenAPIDocument {
    let root: Node

    /// The document as the service has it.
    init() throws {
        let text = String(decoding: EmbeddedFile.openAPI.body.bytes, as: UTF8.self)
        root = try #require(try Yams.compose(yaml: text))
    }

    /// What stands at a path of names, such as `components/schemas/Size`.
    ///
    /// - Parameter path: names with slashes between them; `~1` stands for a slash in a name (RFC 6901).
    func find(_ path: String, in start: Node? = nil) throws -> Node {
        var node = try resolve(start ?? root)
        for part in path.split(separator: "/") {
            let name = String(part.replacing("~1", with: "/"))
            node = try resolve(try #require(node[name], "\(name) of \(path)"))
        }
        return node
    }

    /// A schema by its name, and what stands in it.
    func schema(_ path: String) throws -> Node {
        try find("components/schemas/\(path)")
    }

    /// The members of an object, each resolved, in the order of their names.
    func members(_ path: String) throws -> [(name: String, value: Node)] {
        let mapping = try #require(try find(path).mapping, "\(path)")
        return try mapping.map { (try #require($0.key.string), try resolve($0.value)) }.sorted { $0.name < $1.name }
    }

    /// The texts that a schema's `enum` lists.
    func choices(_ path: String) throws -> [String] {
        try #require(try find(path)["enum"]?.sequence).map { try #require($0.string) }
    }

    /// What a node refers to; itself, if it is no reference.
    ///
    /// What stands beside a reference narrows or describes it, and is not looked at.
    func resolve(_ node: Node) throws -> Node {
        guard let reference = node["$ref"]?.string else { return node }
        return try find(String(reference.dropFirst("#/".count)))
    }
}

/// One method at one path of the document.
struct DescribedOperation {
    static let methods = ["get", "put", "post", "patch", "delete", "head", "options", "trace"]

    var path: String
    var method: String
    var node: Node

    var name: String { "\(method) \(path)" }
}

extension OpenAPIDocument {
    /// Every operation that the document has.
    func operations() throws -> [DescribedOperation] {
        try members("paths").flatMap { path, item in
            DescribedOperation.methods.compactMap { method in
                item[method].map { DescribedOperation(path: path, method: method.uppercased(), node: $0) }
            }
        }
    }
}
