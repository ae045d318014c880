import MicroHTTP

// What browsers load: the client module, the pages, and what those are made of.
extension EmbeddedDocument {
    static let inspectPath = "/inspect"

    static let web = [
        page("/", "index.html"),
        page(inspectPath, "inspect.html"),
        built("/deckd.js", script, "deckd.js"),
        part("/deckd.d.ts", types, "deckd.d.ts"),
        part("/swipe-deck.js", script, "swipe-deck.js"),
        part("/swipe-deck.d.ts", types, "swipe-deck.d.ts"),
        engine,
    ]

    /// The engine of `/deckd.js`.
    private static let engine = built("/engine.wasm", webAssembly, "engine.wasm")

    /// The same at a path that no other release has, so that browsers need not revalidate it. The client module names it.
    static let hashedEngine: EmbeddedDocument = {
        var document = engine
        document.path = "/engine/\(engine.entityTag.filter { $0 != "\"" }).wasm"
        document.headers.set("Cache-Control", "public, max-age=31536000, immutable")
        return document
    }()

    /// A file that `config/client/build` makes, with its compressed form.
    private static func built(_ path: String, _ type: String, _ name: String) -> EmbeddedDocument {
        EmbeddedDocument(path: path, type: type, bytes: file(name), gzip: file("\(name).gz"), headers: safety)
    }

    /// The scripts and the style sheets of the pages.
    static let parts = [
        part("/web/base.css", style, "base.css"),
        part("/web/gate.js", script, "gate.js"),
        part("/web/json.js", script, "json.js"),
        part("/web/demo.js", script, "demo.js"),
        part("/web/demo-cards.js", script, "demo-cards.js"),
        part("/web/demo.css", style, "demo.css"),
        part("/web/inspect.js", script, "inspect.js"),
        part("/web/inspect-client.js", script, "inspect-client.js"),
        part("/web/inspect-dom.js", script, "inspect-dom.js"),
        part("/web/inspect-lists.js", script, "inspect-lists.js"),
        part("/web/inspect-session.js", script, "inspect-session.js"),
        part("/web/inspect-events.js", script, "inspect-events.js"),
        part("/web/inspect-verdicts.js", script, "inspect-verdicts.js"),
        part("/web/inspect-card.js", script, "inspect-card.js"),
        part("/web/inspect-deck.js", script, "inspect-deck.js"),
        part("/web/inspect-log.js", script, "inspect-log.js"),
        part("/web/inspect-drawing.js", script, "inspect-drawing.js"),
        part("/web/inspect-charts.js", script, "inspect-charts.js"),
        part("/web/inspect.css", style, "inspect.css"),
    ]

    static let script = "text/javascript"
    static let types = "application/typescript"
    static let style = "text/css"
    static let webAssembly = "application/wasm"

    /// Allows only what deckd serves, and no script or style in the markup. If a page showed a card's text as markup, a script
    /// in it would not run.
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "connect-src 'self'",
        "img-src 'self' data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static func page(_ path: String, _ name: String) -> EmbeddedDocument {
        var page = part(path, "text/html", name)
        page.headers.set("Content-Security-Policy", contentSecurityPolicy)
        return page
    }

    private static func part(_ path: String, _ type: String, _ name: String) -> EmbeddedDocument {
        EmbeddedDocument(path: path, type: type, bytes: file(name), headers: safety)
    }

    private static let safety: HeaderFields = ["X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"]
}
