import Logging
import Testing
import Yams

@testable import DeckService

/// What is routed is in the document, and what is in the document is routed.
struct RouteContractTests {
    /// An endpoint with the method and the path that lead to it.
    private struct Routed {
        var name: String
        var endpoint: Endpoint
    }

    private func routed() -> [Routed] {
        DeckService(logger: Logger(label: "test")).router.routes.flatMap { route in
            route.endpoints.map { Routed(name: "\($0.method) \(route.pattern.text)", endpoint: $0.endpoint) }
        }
    }

    @Test func theDocumentHasEveryRouteAndNoOther() throws {
        let described = try OpenAPIDocument().operations().map(\.name)
        #expect(described.sorted() == routed().map(\.name).sorted())
        #expect(described.count > 15)
    }

    @Test func everyPartThatVariesIsAParameter() throws {
        let document = try OpenAPIDocument()
        for operation in try document.operations() {
            let item = try document.find("paths/\(operation.path.replacing("/", with: "~1"))")
            let lists = [item["parameters"], operation.node["parameters"]].compactMap { $0?.sequence }
            let parameters = try lists.joined().map { try document.resolve($0) }
            let names = parameters.filter { $0["in"]?.string == "path" }.compactMap { $0["name"]?.string }
            let parts = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
            #expect(names == parts.map { String($0.dropFirst().dropLast()) }, "\(operation.name)")
        }
    }

    @Test func answersHaveTheTypeThatTheRouteSays() throws {
        let document = try OpenAPIDocument()
        let endpoints = routed()
        for operation in try document.operations() {
            let endpoint = try #require(endpoints.first { $0.name == operation.name }).endpoint
            for (status, node) in try #require(operation.node["responses"]?.mapping) {
                guard let status = status.string, status.hasPrefix("2") else { continue }
                guard let content = try document.resolve(node)["content"]?.mapping else { continue }
                #expect(content.keys.map(\.string) == endpoint.produces, "\(operation.name) \(status)")
            }
        }
    }

    @Test func bodiesMayBeAsLongAsTheRouteSays() throws {
        let service = DeckService(logger: Logger(label: "test"))
        let endpoints = routed()
        for operation in try OpenAPIDocument().operations() {
            let endpoint = try #require(endpoints.first { $0.name == operation.name }).endpoint
            let limit = service.bodyLimits.bytes(of: endpoint.body)
            #expect(operation.node["requestBody"]?["x-max-bytes"]?.int ?? 0 == limit, "\(operation.name)")
        }
    }

    /// What may be given for an endpoint, by the names of the security schemes. Nothing is enough without API keys.
    private func schemes(of access: Access) -> [[String]]? {
        switch access {
        case .open: nil
        case .keys: [[], ["apiKey"]]
        case .session(.read):
            [[], ["apiKey"], ["sessionToken"], ["playerToken"], ["spectatorToken"], ["queryToken"]]
        case .session(.review): [[], ["apiKey"], ["sessionToken"], ["queryToken"]]
        case .session(.play): [[], ["apiKey"], ["sessionToken"], ["playerToken"], ["queryToken"]]
        case .session(.own): [[], ["apiKey"], ["sessionToken"], ["queryToken"]]
        }
    }

    @Test func credentialsAreAskedForWhereTheRouteSays() throws {
        let document = try OpenAPIDocument()
        #expect(document.root["security"] == nil)
        let endpoints = routed()
        for operation in try document.operations() {
            let access = try #require(endpoints.first { $0.name == operation.name }).endpoint.access
            let listed: [[String]]? = try operation.node["security"]?.sequence?.map { requirement in
                Array(try #require(requirement.mapping).keys.compactMap(\.string))
            }
            #expect(listed == schemes(of: access), "\(operation.name)")
            let statuses = try #require(operation.node["responses"]?.mapping).keys.compactMap(\.string)
            #expect(statuses.contains("401") == (access != .open), "\(operation.name)")
            // An API key can have no scope for it.
            #expect(statuses.contains("403") == (access != .open), "\(operation.name)")
        }
    }

    @Test func everySchemeIsUsedAndIsWhatTheServiceReads() throws {
        let schemes = try OpenAPIDocument().members("components/securitySchemes")
        let used = [Access.open, .keys(.feed), .session(.read), .session(.play)].compactMap { self.schemes(of: $0) }
        #expect(Set(schemes.map(\.name)) == Set(used.joined().joined()))
        for (name, scheme) in schemes {
            guard name == "queryToken" else {
                #expect(scheme["type"]?.string == "http", "\(name)")
                #expect(scheme["scheme"]?.string == "bearer", "\(name)")
                continue
            }
            #expect(scheme["in"]?.string == "query")
            #expect(scheme["name"]?.string == Credentials.parameter)
        }
    }

    @Test func everyOperationHasANameOfItsOwnAndTheAnswersThatAllHave() throws {
        let operations = try OpenAPIDocument().operations()
        let names = operations.compactMap { $0.node["operationId"]?.string }
        #expect(Set(names).count == operations.count)
        for operation in operations {
            let statuses = try #require(operation.node["responses"]?.mapping).keys.compactMap(\.string)
            let always = ["400", "406", "413", "500", "503"] + (operation.node["requestBody"] == nil ? [] : ["415"])
            #expect(Set(always).isSubset(of: statuses), "\(operation.name)")
            // A creation with a key finds the session that the key created.
            let hasSession = operation.path.hasPrefix("/v1/sessions/") || operation.name == "POST /v1/sessions"
            let hasCursor = ["/v1/feed", "/v1/verdicts"].contains(operation.path)
            #expect(statuses.contains("410") == (hasSession || hasCursor), "\(operation.name)")
        }
    }
}
