extension FrameExtras {
    /// The extras of a frame that can be copied with any extras. The cards' data is not among them, because it can be
    /// large.
    public static var copyable: FrameExtras {
        var extras = FrameExtras()
        extras.motion = true
        extras.labels = true
        return extras
    }

    /// Copies a frame that was written with the copyable extras. The copy has these extras: it is what `FrameWriter` wrote
    /// with them at the same moment.
    ///
    /// - Parameter data: gives the data of a card by its index and its id; nil if there is none.
    public func copy(
        _ frame: JSONValue,
        data: (_ index: Int, _ id: String) -> String?,
        to writer: inout JSONWriter
    ) throws(WireError) {
        try writer.object { writer throws(WireError) in
            for (name, value) in frame.members {
                switch name {
                case "motion" where !motion, "accessibility" where !labels: break
                case "cards":
                    writer.key(escaping: name)
                    try copy(cards: value, data, to: &writer)
                default:
                    writer.key(escaping: name)
                    writer.raw(value.rawBytes)
                }
            }
        }
    }

    private func copy(
        cards: JSONValue,
        _ data: (_ index: Int, _ id: String) -> String?,
        to writer: inout JSONWriter
    ) throws(WireError) {
        let cards = try cards.array()
        try writer.array { writer throws(WireError) in
            for card in cards {
                guard let index = card.peek("index"), let id = card.peek("id") else { continue }
                let place = (index: try index.integer(in: 0...Int.max), id: try id.string(maxBytes: WireLimits.idBytes))
                writer.object { writer in
                    for (name, value) in card.members where name != "label" && name != "position" {
                        writer.key(escaping: name)
                        writer.raw(value.rawBytes)
                    }
                    if self.data {
                        writer.key("data")
                        if let data = data(place.index, place.id) { writer.raw(data) } else { writer.null() }
                    }
                    guard labels else { return }
                    for (name, value) in card.members where name == "label" || name == "position" {
                        writer.key(escaping: name)
                        writer.raw(value.rawBytes)
                    }
                }
            }
        }
    }
}
