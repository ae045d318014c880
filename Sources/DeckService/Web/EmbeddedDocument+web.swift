import MicroHTTP

// What browsers load: the client module, the pages, and what those are made of.
extension EmbeddedDocument {
    static let inspectPath = "/inspect"

    static let web = [
        page("/", PackageResources.index_html),
        page(inspectPath, PackageResources.inspect_html),
        part("/deckd.js", script, module),
        part("/deckd.d.ts", "application/typescript", PackageResources.deckd_d_ts),
        engine,
    ]

    /// The engine of `/deckd.js`.
    private static let engine = part("/engine.wasm", webAssembly, PackageResources.engine_wasm)

    /// The same at a path that no other release has, so that browsers need not revalidate it. The client module names it.
    static let hashedEngine: EmbeddedDocument = {
        var document = part("/engine/\(engine.entityTag.filter { $0 != "\"" }).wasm", webAssembly, engine.bytes)
        document.headers.set("Cache-Control", "public, max-age=31536000, immutable")
        return document
    }()

    /// The client module: a file for each of its subjects, and one that pages load. What the files say about
    /// themselves stays behind, since a page loads the module before anything can be swiped.
    private static let module = Array(
        [
            PackageResources.client_js, PackageResources.clock_js, PackageResources.engine_js,
            PackageResources.prediction_js, PackageResources.outbox_js, PackageResources.saved_js,
            PackageResources.session_js, PackageResources.correction_js, PackageResources.card_js,
            PackageResources.view_js,
        ].flatMap(withoutComments).replacing("/engine.wasm".utf8, with: hashedEngine.path.utf8)
    )

    /// A script without its lines of comment.
    private static func withoutComments(_ script: [UInt8]) -> [UInt8] {
        let lines = script.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let code = lines.filter { line in
            let text = line.drop { $0 == UInt8(ascii: " ") }
            return !["//", "/*", "* ", "*/"].contains { text.starts(with: $0.utf8) }
        }
        return Array(code.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// The parts of the pages, which only these ask for.
    static let parts = [
        part("/web/base.css", style, PackageResources.base_css),
        part("/web/gate.js", script, PackageResources.gate_js),
        part("/web/demo.js", script, PackageResources.demo_js),
        part("/web/demo-cards.js", script, PackageResources.demo_cards_js),
        part("/web/demo.css", style, PackageResources.demo_css),
        part("/web/inspect.js", script, PackageResources.inspect_js),
        part("/web/inspect-replay.js", script, PackageResources.inspect_replay_js),
        part("/web/inspect-log.js", script, PackageResources.inspect_log_js),
        part("/web/inspect-drawing.js", script, PackageResources.inspect_drawing_js),
        part("/web/inspect-charts.js", script, PackageResources.inspect_charts_js),
        part("/web/inspect.css", style, PackageResources.inspect_css),
    ]

    static let script = "text/javascript"
    static let style = "text/css"
    static let webAssembly = "application/wasm"

    /// Nothing but what deckd serves itself, and nothing that stands in the markup: a card's text that some page showed
    /// as markup could not run. A picture that came with a token is a blob.
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "connect-src 'self'",
        "img-src 'self' data: blob:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static func page(_ path: String, _ bytes: [UInt8]) -> EmbeddedDocument {
        var page = part(path, "text/html", bytes)
        page.headers.set("Content-Security-Policy", contentSecurityPolicy)
        return page
    }

    private static func part(_ path: String, _ type: String, _ bytes: [UInt8]) -> EmbeddedDocument {
        let headers: HeaderFields = ["X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"]
        return EmbeddedDocument(path: path, type: type, bytes: bytes, headers: headers)
    }
}
