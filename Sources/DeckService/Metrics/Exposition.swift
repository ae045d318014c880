/// Writes the text format of Prometheus, version 0.0.4.
struct Exposition {
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var bytes: [UInt8] = []
    private var name = ""

    init() {
        bytes.reserveCapacity(32 * 1024)
    }

    /// Starts a metric; its samples follow. The help is one line of plain text.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        append("# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n")
    }

    /// Writes a metric with a single sample.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String, value: Int) {
        metric(name, kind, help)
        sample(value)
    }

    /// Writes a sample of the current metric.
    mutating func sample(_ value: Int, _ labels: [(name: String, value: String)] = []) {
        sample(String(value), labels)
    }

    /// Writes a sample of the current metric.
    mutating func sample(_ value: Double, _ labels: [(name: String, value: String)] = []) {
        sample(Self.text(of: value), labels)
    }

    /// Writes the samples of a histogram.
    ///
    /// - Parameters:
    ///   - bounds: the largest value of each bucket but the last, which has none.
    ///   - counts: how many values each bucket has, one more than there are bounds.
    mutating func histogram(
        bounds: [Double],
        counts: [Int],
        sum: Double,
        _ labels: [(name: String, value: String)] = []
    ) {
        var total = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < bounds.count ? Self.text(of: bounds[index]) : "+Inf"
            sample(String(total), labels + [("le", bound)], suffix: "_bucket")
        }
        sample(Self.text(of: sum), labels, suffix: "_sum")
        sample(String(total), labels, suffix: "_count")
    }

    private mutating func sample(_ value: String, _ labels: [(name: String, value: String)], suffix: String = "") {
        append(name)
        append(suffix)
        for (index, label) in labels.enumerated() {
            append(index == 0 ? "{" : ",")
            append(label.name)
            append("=\"")
            append(escaped: label.value)
            append("\"")
        }
        append(labels.isEmpty ? " " : "} ")
        append(value)
        append("\n")
    }

    private mutating func append(escaped text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\n"): append("\\n")
            default: bytes.append(byte)
            }
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// A number in the format of Prometheus: a whole number has no fraction.
    private static func text(of value: Double) -> String {
        if let whole = Int(exactly: value) { return String(whole) }
        if value.isNaN { return "NaN" }
        return value.isInfinite ? (value < 0 ? "-Inf" : "+Inf") : value.description
    }
}
