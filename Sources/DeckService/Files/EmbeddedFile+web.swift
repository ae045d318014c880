import MicroHTTP

// What browsers load: the client module, the pages, and what those are made of.
extension EmbeddedFile {
    static let web = [
        page("/", "index.html"),
        page("/inspect", "inspect.html"),
        built("/deckd.js", script, "deckd.js"),
        plain("/deckd.d.ts", types, "deckd.d.ts"),
        plain("/swipe-deck.js", script, "swipe-deck.js"),
        plain("/swipe-deck.d.ts", types, "swipe-deck.d.ts"),
        engine,
    ]

    /// The engine of `/deckd.js`.
    private static let engine = built("/engine.wasm", webAssembly, "engine.wasm")

    /// The same at a path that no other release has, so that browsers need not revalidate it. The client module names it.
    static let hashedEngine: EmbeddedFile = {
        var file = engine
        file.path = "/engine/\(engine.entityTag.filter { $0 != "\"" }).wasm"
        file.headers.set("Cache-Control", "public, max-age=31536000, immutable")
        return file
    }()

    /// A file that `config/client/build` makes, with its compressed form.
    private static func built(_ path: String, _ type: String, _ name: String) -> EmbeddedFile {
        EmbeddedFile(
            path: path,
            type: type,
            bytes: bytes(of: name),
            gzip: bytes(of: "\(name).gz"),
            headers: securityHeaders
        )
    }

    /// The scripts and the style sheets of the pages.
    static let parts = [
        plain("/web/base.css", style, "base.css"),
        plain("/web/gate.js", script, "gate.js"),
        plain("/web/json.js", script, "json.js"),
        plain("/web/demo.js", script, "demo.js"),
        plain("/web/demo-cards.js", script, "demo-cards.js"),
        plain("/web/demo.css", style, "demo.css"),
        plain("/web/inspect.js", script, "inspect.js"),
        plain("/web/inspect-client.js", script, "inspect-client.js"),
        plain("/web/inspect-dom.js", script, "inspect-dom.js"),
        plain("/web/inspect-lists.js", script, "inspect-lists.js"),
        plain("/web/inspect-session.js", script, "inspect-session.js"),
        plain("/web/inspect-events.js", script, "inspect-events.js"),
        plain("/web/inspect-verdicts.js", script, "inspect-verdicts.js"),
        plain("/web/inspect-card.js", script, "inspect-card.js"),
        plain("/web/inspect-deck.js", script, "inspect-deck.js"),
        plain("/web/inspect-log.js", script, "inspect-log.js"),
        plain("/web/inspect-drawing.js", script, "inspect-drawing.js"),
        plain("/web/inspect-charts.js", script, "inspect-charts.js"),
        plain("/web/inspect.css", style, "inspect.css"),
    ]

    static let page = "text/html"
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

    private static func page(_ path: String, _ name: String) -> EmbeddedFile {
        var page = plain(path, Self.page, name)
        page.headers.set("Content-Security-Policy", contentSecurityPolicy)
        return page
    }

    private static func plain(_ path: String, _ type: String, _ name: String) -> EmbeddedFile {
        EmbeddedFile(path: path, type: type, bytes: bytes(of: name), headers: securityHeaders)
    }

    private static let securityHeaders: HeaderFields = [
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    ]
}
