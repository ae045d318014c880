import MicroHTTP

/// Files that are part of the program, over HTTP.
struct FileEndpoints: Sendable {
    private static let files = [EmbeddedFile.openAPI, .openAPIAsJSON] + EmbeddedFile.web

    private static let parts = Dictionary(uniqueKeysWithValues: EmbeddedFile.parts.map { ($0.path, $0) })

    var routes: [Route] {
        let part = Endpoint(
            access: .open,
            produces: EmbeddedFile.script,
            or: EmbeddedFile.style
        ) { call throws(Problem) in
            guard let file = Self.parts["/web/\(call.parameters[0])"] else {
                throw Problem(.notFound, "There is no such file.")
            }
            try call.request.head.checkAccept([file.type])
            return try answer(with: file, call)
        }
        let engine = Endpoint(access: .open, produces: EmbeddedFile.webAssembly) { call throws(Problem) in
            guard call.request.head.target.path == EmbeddedFile.hashedEngine.path else {
                throw Problem(.notFound, "This release has another engine.")
            }
            return try answer(with: .hashedEngine, call)
        }
        return Self.files.map { file in
            let endpoint = Endpoint(access: .open, produces: file.type) { call throws(Problem) in
                try answer(with: file, call)
            }
            let route = Route(file.path, [(.get, endpoint)])
            // The pages use routes for operators.
            return file.type == EmbeddedFile.page ? route.markedForOperators() : route
        } + [Route("/web/{file}", [(.get, part)]), Route("/engine/{file}", [(.get, engine)])]
    }

    private func answer(with file: EmbeddedFile, _ call: Call) throws(Problem) -> Reply {
        let gzip = call.request.head.accepts(coding: "gzip") ? file.gzip : nil
        let tag = gzip == nil ? file.entityTag : file.gzipEntityTag
        // Browsers may cache it, but must revalidate it, because another release may have another file at the same path.
        let caching = file.headers["Cache-Control"] ?? "no-cache"
        var headers: HeaderFields = ["ETag": tag, "Cache-Control": caching]
        if file.gzip != nil { headers.add("Vary", "Accept-Encoding") }
        let body = gzip ?? file.body
        if call.request.head.knownTags?.weaklyContains(tag) == true {
            // The body is not sent, but its length is (RFC 9110, section 8.6).
            return .now(Response(status: 304, headers: headers, body: body))
        }
        for field in file.headers.fields { headers.set(field) }
        headers.set("Content-Type", file.type)
        if gzip != nil { headers.set("Content-Encoding", "gzip") }
        return .now(Response(status: 200, headers: headers, body: body))
    }
}
