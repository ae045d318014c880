import MicroHTTP

/// Files that are part of the program, over HTTP.
struct DocumentEndpoints: Sendable {
    private static let documents = [EmbeddedDocument.openAPI, .openAPIAsJSON] + EmbeddedDocument.web

    private static let parts = Dictionary(uniqueKeysWithValues: EmbeddedDocument.parts.map { ($0.path, $0) })

    var routes: [Route] {
        let part = Endpoint(
            access: .open,
            produces: EmbeddedDocument.script,
            or: EmbeddedDocument.style
        ) { call throws(Problem) in
            guard let document = Self.parts["/web/\(call.parameters[0])"] else {
                throw Problem(.notFound, "There is no such file.")
            }
            return try answer(with: document, call)
        }
        let engine = Endpoint(access: .open, produces: EmbeddedDocument.webAssembly) { call throws(Problem) in
            _ = try Query(call.request.head.target, allowing: [])
            guard call.request.head.target.path == EmbeddedDocument.hashedEngine.path else {
                throw Problem(.notFound, "This release has another engine.")
            }
            return try answer(with: .hashedEngine, call)
        }
        return Self.documents.map { document in
            let endpoint = Endpoint(access: .open, produces: document.type) { call throws(Problem) in
                try answer(with: document, call)
            }
            let route = Route(document.path, [(.get, endpoint)])
            return document.path == EmbeddedDocument.inspectPath ? route.markedForOperators() : route
        } + [Route("/web/{file}", [(.get, part)]), Route("/engine/{file}", [(.get, engine)])]
    }

    private func answer(with document: EmbeddedDocument, _ call: Call) throws(Problem) -> Reply {
        _ = try Query(call.request.head.target, allowing: [])
        // Browsers may cache it, but must revalidate it, because another release may have another document at the same path.
        let caching = document.headers["Cache-Control"] ?? "no-cache"
        let headers: HeaderFields = ["ETag": document.entityTag, "Cache-Control": caching]
        let known = EntityTags(call.request.head.headers.values("If-None-Match"))
        if known?.weaklyContains(document.entityTag) == true {
            return .now(Response(status: 304, headers: headers))
        }
        var full = headers
        for field in document.headers.fields { full.set(field.name, field.value) }
        full.set("Content-Type", document.type)
        return .now(Response(status: 200, headers: full, body: document.bytes))
    }
}
