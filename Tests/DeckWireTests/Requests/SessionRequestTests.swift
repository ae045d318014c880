import DeckEngine
import DeckWire
import Testing

@Suite struct SessionRequestTests {
    private let least = #""deck":"places","viewport":{"width":375,"height":600}"#

    private func request(_ text: String) throws(WireError) -> SessionRequest {
        try read(text) { (value) throws(WireError) in try SessionRequest(value) }
    }

    private func place(_ text: String) -> Place? {
        refusal(text) { (value) throws(WireError) in _ = try SessionRequest(value) }?.place
    }

    @Test func aDeckAndAViewportAreEnough() throws {
        let request = try request("{\(least)}")
        #expect(request.source == .named("places"))
        #expect(request.viewport == Size(width: 375, height: 600))
        #expect(request.screen == nil)
        #expect(request.startIndex == 0)
        #expect(!request.appears)
        #expect(request.clock == .server)
        #expect(!request.records)
    }

    @Test func everyMemberIsRead() throws {
        let members = #""screen":{"width":1,"height":100000},"startIndex":10000000,"appear":true,"clock":"manual""#
        let request = try request("{\(least),\(members),\"record\":true,\"user\":\"é\",\"metadata\":[ 1 ]}")
        #expect(request.screen == Size(width: 1, height: 100_000))
        #expect(request.startIndex == 10_000_000)
        #expect(request.appears)
        #expect(request.clock == .manual)
        #expect(request.records)
        #expect(request.user == "é" && request.metadata == "[1]")
        #expect(Mirror(reflecting: request).children.count == 9, "A new member must be read here, too.")
    }

    @Test func anInlineDeckIsReadAsAPutOneIs() throws {
        let deckText = #"{"preset":"koloda","cards":[{"id":"a","data":[1 ]}],"loop":true}"#
        let request = try request(#"{"deck":\#(deckText),"viewport":{"width":1,"height":1}}"#)
        #expect(try request.source == .inline(deck(deckText)))
        #expect(
            place(#"{"deck":{"count":0,"rules":{"refillAt":-1}},"viewport":{"width":1,"height":1}}"#)
                == .outOfRange("/deck/rules/refillAt")
        )
        #expect(
            place(#"{"deck":{"cards":[{"id":"a"},{"id":"a"}]},"viewport":{"width":1,"height":1}}"#)
                == .outOfRange("/deck/cards/1/id")
        )
    }

    @Test(arguments: ["deck", "viewport", "screen", "startIndex", "appear", "clock", "record"])
    func aMemberOfAnotherTypeOrTwiceIsRefused(name: String) {
        let rest = [#""deck":"d""#, #""viewport":{"width":1,"height":1}"#].filter { !$0.hasPrefix("\"\(name)\"") }
        for value in ["null", "[]"] {
            let text = "{" + (rest + [#""\#(name)":\#(value)"#]).joined(separator: ",") + "}"
            #expect(place(text) == .malformed("/\(name)"), "\(text)")
        }
        let good = ["deck": #""d""#, "startIndex": "0", "appear": "true", "clock": #""manual""#, "record": "false"]
        let pair = #""\#(name)":\#(good[name] ?? #"{"width":1,"height":1}"#)"#
        #expect(place("{" + (rest + [pair, pair]).joined(separator: ",") + "}") == .malformed("/\(name)"))
    }

    @Test(arguments: [
        ("[]", Place.malformed("")), ("{}", .malformed("/deck")), (#"{"deck":"d"}"#, .malformed("/viewport")),
        (#"{"viewport":{"width":1,"height":1}}"#, .malformed("/deck")),
        (#"{"deck":1,"viewport":{"width":1,"height":1}}"#, .malformed("/deck")),
        (#"{"deck":"","viewport":{"width":1,"height":1}}"#, .outOfRange("/deck")),
        (#"{"deck":"a.b","viewport":{"width":1,"height":1}}"#, .outOfRange("/deck")),
        (#"{"deck":"d","viewport":{"width":1}}"#, .malformed("/viewport/height")),
        (#"{"deck":"d","viewport":{"height":1}}"#, .malformed("/viewport/width")),
        (#"{"deck":"d","viewport":{"width":1,"height":1,"depth":1}}"#, .malformed("/viewport/depth")),
        (#"{"deck":"d","viewport":{"width":"1","height":1}}"#, .malformed("/viewport/width")),
        (#"{"deck":"d","viewport":{"width":1,"width":1,"height":1}}"#, .malformed("/viewport/width")),
    ])
    func whatIsMissingOrUnknownIsRefusedWithItsPlace(text: String, place: Place) {
        #expect(self.place(text) == place)
    }

    @Test(arguments: ["viewport", "screen"], ["width", "height"])
    func aSideIsFrom1To100000Points(member: String, side: String) throws {
        func text(_ length: String) -> String {
            let other = side == "width" ? "height" : "width"
            let size = #"{"\#(side)":\#(length),"\#(other)":10}"#
            let viewport = member == "screen" ? #""viewport":{"width":10,"height":10},"# : ""
            return #"{"deck":"d",\#(viewport)"\#(member)":\#(size)}"#
        }
        for good in ["1", "100000", "1.5", "1e3"] { _ = try request(text(good)) }
        for bad in ["0", "-1", "0.999999", "100000.1", "1e9", "-1e300"] {
            #expect(place(text(bad)) == .outOfRange("/\(member)/\(side)"), "\(bad)")
        }
        #expect(place(text("1e999")) == .malformed(""))
        #expect(place(text("NaN")) == .malformed(""))
    }

    @Test(arguments: [
        (#""startIndex":-1"#, Place.outOfRange("/startIndex")),
        (#""startIndex":10000001"#, .outOfRange("/startIndex")),
        (#""startIndex":0.5"#, .malformed("/startIndex")),
        (#""clock":"sundial""#, .outOfRange("/clock")),
        (#""appears":true"#, .malformed("/appears")),
    ])
    func aValueBeyondItsRangeIsRefusedWithItsPlace(member: String, place: Place) {
        #expect(self.place("{\(least),\(member)}") == place)
    }
}
