import DeckEngine
import DeckWire
import Testing

@Suite struct EventRequestTests {
    private func events(_ text: String) throws(WireError) -> [EventRequest] {
        try read(text) { (value) throws(WireError) in try EventRequest.read(value) }
    }

    private func place(_ text: String) -> Place? {
        refusal(text) { (value) throws(WireError) in _ = try EventRequest.read(value) }?.place
    }

    private func batch(_ events: [String]) -> String {
        #"{"events":[\#(events.joined(separator: ","))]}"#
    }

    @Test(arguments: EventCase.all)
    func anEventIsReadAloneWithATimeAndInABatch(event: EventCase) throws {
        let alone = try events(event.text)
        #expect(alone.map(\.action) == [event.action])
        #expect(alone[0].at == nil)
        #expect(alone[0].pointer.isEmpty)
        let timed = try events(event.text.dropLast() + #","at":12.5}"#)
        #expect(timed.map(\.action) == [event.action])
        #expect(timed[0].at == Instant(12.5))
        let batched = try events(batch([#"{"type":"tick","at":0}"#, event.text]))
        #expect(batched.map(\.action) == [.event(.tick), event.action])
        #expect(batched.map(\.at) == [.zero, nil])
        #expect(batched.map(\.pointer) == ["/events/0", "/events/1"])
    }

    @Test func whatIsDoneToTheFrontCardMaySayWhichOneThatIs() throws {
        let texts = [
            #"{"type":"drag","phase":"ended""#, #"{"type":"tap""#, #"{"type":"nudge","direction":"up""#,
            #"{"type":"swipe","direction":"up""#, #"{"type":"sendToBack""#, #"{"type":"press""#, #"{"type":"flip""#,
            #"{"type":"confirm""#, #"{"type":"deny""#,
        ]
        for text in texts {
            let (whichever, one) = (try events(text + "}")[0], try events(text + #","id":"a_B-9"}"#)[0])
            #expect(whichever.id == nil)
            #expect(one.id == "a_B-9")
            #expect(one.action == whichever.action)
            #expect(one != whichever)
        }
    }

    @Test func anEventsTextIsKeptWhereItIsAskedFor() throws {
        let text = "{ \"type\" : \"tick\",\n\"at\" : 1.50 }"
        let body = "{\"events\":[\(text), {\"type\":\"reset\"}]}"
        func texts(keeping: Bool) throws -> [String?] {
            let requests = try read(body) { (value) throws(WireError) in
                try EventRequest.read(value, keepingText: keeping)
            }
            return requests.map(\.text)
        }
        #expect(try texts(keeping: true) == [#"{"type":"tick","at":1.50}"#, #"{"type":"reset"}"#])
        #expect(try texts(keeping: false) == [nil, nil])
    }

    @Test func eventsAreEqualIfTheyAskForTheSame() throws {
        let alone = try events(#"{"type":"move","to":3,"at":7}"#)[0]
        let batched = try events(#"{"events":[{"type":"tick"},{"at":7.0,"to":3,"type":"move"}]}"#)[1]
        #expect(alone == batched && alone.pointer != batched.pointer)
        let others = [#"{"type":"move","to":4,"at":7}"#, #"{"type":"move","to":3,"at":8}"#, #"{"type":"move","to":3}"#]
        for other in others { #expect(try events(other)[0] != alone) }
    }

    @Test func anEventKnowsItsNameOnTheWire() throws {
        for event in EventCase.all {
            #expect(try event.text.contains(#""type":"\#(events(event.text)[0].type)""#))
        }
    }

    @Test(arguments: eventRefusals)
    func anEventThatIsNoneIsRefusedWithItsPlace(text: String, place: Place) {
        #expect(self.place(text) == place)
    }

    @Test(arguments: [0, 1, 255])
    func oneMalformedEventRefusesTheBatchAndIsNamed(position: Int) {
        for (text, place) in eventRefusals {
            var events = Array(repeating: #"{"type":"tick"}"#, count: 256)
            events[position] = text
            let isUnreadable = text.contains("1e999") || text.contains("NaN")
            let pointer = isUnreadable ? "" : "/events/\(position)\(place.pointer)"
            #expect(self.place(batch(events)) == Place(kind: place.kind, pointer: pointer), "\(text)")
        }
    }

    @Test func aBatchHasFrom1To256Events() throws {
        #expect(place(batch([])) == .outOfRange("/events"))
        #expect(try events(batch(Array(repeating: #"{"type":"tick"}"#, count: 256))).count == 256)
        #expect(place(batch(Array(repeating: #"{"type":"tick"}"#, count: 257))) == .outOfRange("/events"))
    }

    @Test(arguments: [
        (#"{"events":null}"#, Place.malformed("/events")), (#"{"events":{}}"#, .malformed("/events")),
        (#"{"events":[],"at":1}"#, .malformed("/at")),
        (#"{"events":[{"type":"tick"}],"type":"tick"}"#, .malformed("/type")),
        (#"{"events":[],"events":[]}"#, .malformed("/events")),
        (#"{"events":[{"events":[]}]}"#, .malformed("/events/0/type")),
    ])
    func aBatchIsAnObjectOfEventsAlone(text: String, place: Place) {
        #expect(self.place(text) == place)
    }

    @Test func timesAndWaysAreReadAtTheirEdges() throws {
        #expect(try events(#"{"type":"tick","at":0}"#)[0].at == .zero)
        #expect(try events(#"{"type":"tick","at":1e12}"#)[0].at == Instant(1e12))
        for edge in ["-1000000", "1000000"] {
            let text = #"{"type":"drag","phase":"changed","translation":{"x":\#(edge),"y":\#(edge)}}"#
            let number = edge.hasPrefix("-") ? -1e6 : 1e6
            let drag = DragEvent(.changed, translation: Vector(x: number, y: number))
            #expect(try events(text)[0].action == .event(.drag(drag)))
        }
    }
}
