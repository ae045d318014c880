extension String {
    /// The text without what differs between two services, or between two sessions with the same history: ids and tokens
    /// become numbers in the order in which the text has them first, and times of the machine's clock become one word.
    ///
    /// - Parameter names: what certain parts of the text become.
    func comparable(_ names: [String: String] = [:]) -> String {
        var text = self
        for (part, name) in names { text = text.replacing(part, with: name) }
        // Regular expressions are slow where nothing is optimized.
        let hasTimes = text.contains("At\":\"") || text.contains("\"time\":\"")
        if hasTimes { text.replace(/\d{4}-\d\d-\d\dT[0-9:.]+Z/, with: "TIME") }
        return text.numberingTokens()
    }

    /// Tokens have 22 characters of base64url.
    private func numberingTokens() -> String {
        var (result, word): ([UInt8], [UInt8]) = ([], [])
        var found: [[UInt8]] = []
        func end() {
            if word.count == 22 {
                if !found.contains(word) { found.append(word) }
                word = Array("#\(found.firstIndex(of: word) ?? -1)".utf8)
            }
            result += word
            word.removeAll(keepingCapacity: true)
        }
        for byte in utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): word.append(byte)
            default:
                end()
                result.append(byte)
            }
        }
        end()
        return String(decoding: result, as: UTF8.self)
    }

    /// The text without the numbers that may be skipped when a session is loaded again.
    var withoutNumbers: String {
        replacing(/"(version|lastNotification|seq)":\d+/) { "\"\($0.1)\":0" }
            .replacing(/\{[^\n]*"numbers":[^\n]*\n/, with: "")
    }
}
