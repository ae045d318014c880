/// Writes SVG: elements that close when their closure ends, attributes and text that are escaped.
struct SVGWriter {
    /// What has been written, UTF-8.
    private(set) var text = ""

    /// Writes an element.
    ///
    /// - Parameter attributes: names and values in order; names are plain.
    mutating func element(
        _ name: StaticString,
        _ attributes: [(StaticString, String)],
        _ content: (inout SVGWriter) -> Void
    ) {
        open(name, attributes)
        text += ">"
        content(&self)
        text += "</\(name)>\n"
    }

    /// Writes an element without content.
    mutating func element(_ name: StaticString, _ attributes: [(StaticString, String)]) {
        open(name, attributes)
        text += "/>\n"
    }

    /// Writes an element that holds text alone.
    mutating func element(_ name: StaticString, _ attributes: [(StaticString, String)] = [], text content: String) {
        element(name, attributes) { $0.append(escaping: content) }
    }

    private mutating func open(_ name: StaticString, _ attributes: [(StaticString, String)]) {
        text += "<\(name)"
        for (name, value) in attributes {
            text += " \(name)=\""
            append(escaping: value)
            text += "\""
        }
    }

    /// Characters that XML cannot have, escaped or not, are replaced (XML 1.0, section 2.2).
    private mutating func append(escaping content: String) {
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension SVGWriter {
    /// Numbers with spaces between them, of at most two decimals, as a hundredth of a point cannot be seen.
    static func numbers(_ values: Double...) -> String {
        values.map { JSONWriter.text(of: ($0 * 100).rounded() / 100) }.joined(separator: " ")
    }
}
