import MicroHTTP

// What browsers load: the client module, and the page to play with.
extension EmbeddedDocument {
    static let web = [
        page("/", PackageResources.index_html),
        part("/demo.js", "text/javascript", PackageResources.demo_js),
        part("/demo-cards.js", "text/javascript", PackageResources.demo_cards_js),
        part("/demo.css", "text/css", PackageResources.demo_css),
        part("/deckd.js", "text/javascript", PackageResources.deckd_js),
        part("/deckd.d.ts", "application/typescript", PackageResources.deckd_d_ts),
    ]

    /// Nothing but what deckd serves itself, and nothing that stands in the markup: a card's text that some page showed
    /// as markup could not run.
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
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
