import Foundation
import JSONTesting
import MicroHTTP
import Testing
import Yams

@testable import DeckService

/// The files are served as they are in the repository.
@Suite(.serialized) struct FileEndpointTests {
    @Test(arguments: [("openapi.yaml", "application/yaml"), ("openapi.json", "application/json")])
    func theServedDocumentIsTheOneInTheRepository(name: String, type: String) async throws {
        let file = try Data(contentsOf: repository.appending(path: "docs/\(name)"))
        try await withService { client in
            let answer = try await client.get("/\(name)")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == type)
            #expect(answer.body == file)
            let head = try await client.send("HEAD", "/\(name)")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head.headers["etag"] == answer.headers["etag"])
        }
    }

    /// JSON is YAML, too, so one reader reads both. The order of the members is the same.
    @Test func theDocumentIsTheSameInJSON() throws {
        let document = try OpenAPIDocument()
        let text = String(decoding: EmbeddedFile.openAPIAsJSON.body.bytes, as: UTF8.self)
        #expect(text.first == "{")
        let other = try #require(try Yams.compose(yaml: text))
        // The whole document is too long for a message.
        let isSame = other == document.root
        #expect(isSame, "run Tests/Contract/document.py --write")
    }

    @Test func whoHasTheDocumentIsToldSo() async throws {
        try await withService { client in
            let whole = try await client.get("/openapi.yaml")
            let tag = try #require(whole.headers["etag"])
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let answer = try await client.get("/openapi.yaml", headers: ["If-None-Match": known])
                #expect(answer.status == 304, "\(known)")
                #expect(answer.body.isEmpty)
                #expect(answer.headers["etag"] == tag)
                // A cache may take this for the length of what it has (RFC 9110, section 8.6).
                #expect(answer.headers["content-length"] == "\(whole.body.count)")
            }
            #expect(try await client.get("/openapi.yaml", headers: ["If-None-Match": "\"1\""]).status == 200)
            #expect(try await client.get("/openapi.yaml?a=b").status == 400)
            #expect(try await client.get("/problems/not-found?a=b").status == 400)
            #expect(try await client.get("/openapi.yaml", headers: ["Accept": "text/html"]).status == 406)
        }
    }

    /// The page's own folder is what is served, and nothing that a card's text could bring along may run on it.
    @Test func thePageAndTheClientAreServedWithWhatKeepsThemSafe() async throws {
        let folder = "Sources/DeckService/Web"
        let pages = ["/": "index.html", "/inspect": "inspect.html"]
        let element = ["/swipe-deck.js": "swipe-deck.js", "/swipe-deck.d.ts": "swipe-deck.d.ts"]
        var files = pages.merging(element) { first, _ in first }
        files["/deckd.d.ts"] = "Client/deckd.d.ts"
        for name in try FileManager.default.contentsOfDirectory(atPath: repository.appending(path: folder).path) {
            // All that is in the folder is served somewhere.
            if !files.values.contains(name), !["Client", "Built"].contains(name) { files["/web/\(name)"] = name }
        }
        try await withService { client in
            for (path, file) in files {
                let answer = try await client.get(path)
                let url = repository.appending(path: "\(folder)/\(file)")
                #expect(answer.body == (try Data(contentsOf: url)), "\(path)")
                #expect(answer.headers["x-content-type-options"] == "nosniff", "\(path)")
                #expect(answer.headers["referrer-policy"] == "no-referrer", "\(path)")
                let policy = answer.headers["content-security-policy"]
                #expect((policy != nil) == (pages[path] != nil), "\(path)")
                // Only WebAssembly may be compiled.
                let unsafe = policy?.replacing("'wasm-unsafe-eval'", with: "").contains("unsafe")
                #expect(unsafe != true && policy?.hasPrefix("default-src 'none'") != false)
                let tag = try #require(answer.headers["etag"])
                #expect(try await client.get(path, headers: ["If-None-Match": tag]).status == 304)
            }
        }
    }

    /// The path has scripts and style sheets, and each file has one type.
    @Test(arguments: [
        ("demo.js", "text/javascript", 200), ("demo.js", "text/css;q=0.5, */*;q=0.1", 200),
        ("demo.js", "text/css", 406), ("base.css", "text/css", 200), ("base.css", "text/*", 200),
        ("base.css", "text/javascript", 406), ("base.css", "text/css;q=0, text/javascript", 406),
        ("base.css", "text/html", 406), ("none.css", "text/css", 404),
    ])
    func aPartOfAPageIsOfATypeThatTheClientTakes(name: String, accept: String, status: Int) async throws {
        try await withService { client in
            let answer = try await client.get("/web/\(name)", headers: ["Accept": accept])
            #expect(answer.status == status)
            if status == 406 { #expect(answer.json["type"] == "/problems/not-acceptable") }
        }
    }

    /// The client module names the engine of its release.
    @Test func theModuleNamesItsEngine() async throws {
        try await withService { client in
            let module = try await client.get("/deckd.js")
            #expect(module.headers["content-type"] == "text/javascript")
            #expect(module.headers["x-content-type-options"] == "nosniff")
            let engine = try #require(module.text.firstMatch(of: /\/engine\/[0-9a-f]{32}\.wasm/)).output
            let answer = try await client.get(String(engine))
            let isSame = try await answer.body == client.get("/engine.wasm").body
            #expect(isSame)
            #expect(answer.headers["cache-control"] == "public, max-age=31536000, immutable")
            #expect(try await client.get("/engine/00000000000000000000000000000000.wasm").status == 404)
        }
    }

    /// The module and the engine are sent compressed to clients that accept it.
    @Test(arguments: [("/deckd.js", "deckd.js"), ("/engine.wasm", "engine.wasm")])
    func whatPagesLoadIsCompressed(path: String, name: String) async throws {
        let folder = repository.appending(path: "Sources/DeckService/Web/Built")
        let plain = try Data(contentsOf: folder.appending(path: name))
        let compressed = try Data(contentsOf: folder.appending(path: "\(name).gz"))
        try await withService { client in
            var tags: Set<String> = []
            let accepting = ["gzip", "GZIP", "br, gzip;q=0.5", "*"]
            let refusing = ["", "br", "gzip;q=0", "identity", "*;q=0", "gzip;q=0, *"]
            for coding in accepting + refusing {
                let answer = try await client.get(path, headers: ["Accept-Encoding": coding])
                let isCompressed = accepting.contains(coding)
                // The client has decompressed the body. The difference of two files would take too long to describe.
                let isSame = answer.body == plain
                #expect(isSame, "\(coding)")
                #expect(answer.headers["content-encoding"] == (isCompressed ? "gzip" : nil), "\(coding)")
                #expect(answer.headers["content-length"] == "\((isCompressed ? compressed : plain).count)", "\(coding)")
                #expect(answer.headers["vary"] == "Accept-Encoding")
                let tag = try #require(answer.headers["etag"])
                let known = ["Accept-Encoding": coding, "If-None-Match": tag]
                #expect(try await client.get(path, headers: known).status == 304)
                tags.insert(tag)
            }
            // Each form has its own tag.
            #expect(tags.count == 2)
            #expect(try await client.get("/", headers: ["Accept-Encoding": "gzip"]).headers["content-encoding"] == nil)
        }
    }

    @Test func theTagIsOfTheContent() {
        let one = EmbeddedFile(path: "/", type: "text/plain", bytes: Array("one".utf8))
        let other = EmbeddedFile(path: "/", type: "text/plain", bytes: Array("other".utf8))
        #expect(one.entityTag != other.entityTag)
        #expect(one.entityTag == EmbeddedFile(path: "/other", type: "text/html", bytes: one.body.bytes).entityTag)
        #expect(one.entityTag.count == 34)
    }
}
