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
            try call.request.head.checkAccept([document.type])
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
        let gzip = call.request.head.accepts(coding: "gzip") ? document.gzip : nil
        let tag = gzip == nil ? document.entityTag : document.gzipEntityTag
        // Browsers may cache it, but must revalidate it, because another release may have another document at the same path.
        let caching = document.headers["Cache-Control"] ?? "no-cache"
        var headers: HeaderFields = ["ETag": tag, "Cache-Control": caching]
        if document.gzip != nil { headers.add("Vary", "Accept-Encoding") }
        let body = gzip ?? document.body
        if EntityTags(call.request.head.headers.values("If-None-Match"))?.weaklyContains(tag) == true {
            // The body is not sent, but its length is (RFC 9110, section 8.6).
            return .now(Response(status: 304, headers: headers, body: body))
        }
        for field in document.headers.fields { headers.set(field) }
        headers.set("Content-Type", document.type)
        if gzip != nil { headers.set("Content-Encoding", "gzip") }
        return .now(Response(status: 200, headers: headers, body: body))
    }
}
