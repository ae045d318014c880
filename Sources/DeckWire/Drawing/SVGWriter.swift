/// Writes SVG. Elements close when their closures end; attributes and text are escaped.
struct SVGWriter {
    /// The document so far, UTF-8.
    private(set) var text = ""

    /// Writes an element.
    ///
    /// - Parameter attributes: names and values in order. Names must not need escaping.
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

    /// Writes an element that contains only text.
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

    /// Characters that XML does not allow, escaped or not, are replaced (XML 1.0, section 2.2).
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
    /// Numbers with spaces between them and at most two decimals: a hundredth of a point is not visible.
    static func numbers(_ values: Double...) -> String {
        values.map { JSONWriter.text(of: ($0 * 100).rounded() / 100) }.joined(separator: " ")
    }
}
