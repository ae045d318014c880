import DeckEngine
import Testing

/// A session of Koloda, as recorded in `koloda-scenarios.json`.
struct Scenario: Decodable, CustomTestStringConvertible {
    struct File: Decodable {
        var scenarios: [Scenario]
    }

    struct Config: Decodable {
        var items: Int?
        var visible: Int?
        var loop: Bool?
        var size: [Double]?
        var topMargin: Double?
        var scalePercent: Double?
        var rotationMax: Double?
        var rotationAngle: Double?
        var scaleMin: Double?
        var alphaSemi: Double?
        var custom: Bool?
        var setup: String?
        /// The delegate's answers. A null, unlike an absent member, means a deck without a delegate.
        var delegate: Answers?
        var hasDelegate: Bool

        private enum CodingKeys: String, CodingKey {
            case items, visible, loop, size, topMargin, scalePercent, rotationMax, rotationAngle, scaleMin, alphaSemi
            case custom, setup, delegate
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            items = try members.decodeIfPresent(Int.self, forKey: .items)
            visible = try members.decodeIfPresent(Int.self, forKey: .visible)
            loop = try members.decodeIfPresent(Bool.self, forKey: .loop)
            size = try members.decodeIfPresent([Double].self, forKey: .size)
            topMargin = try members.decodeIfPresent(Double.self, forKey: .topMargin)
            scalePercent = try members.decodeIfPresent(Double.self, forKey: .scalePercent)
            rotationMax = try members.decodeIfPresent(Double.self, forKey: .rotationMax)
            rotationAngle = try members.decodeIfPresent(Double.self, forKey: .rotationAngle)
            scaleMin = try members.decodeIfPresent(Double.self, forKey: .scaleMin)
            alphaSemi = try members.decodeIfPresent(Double.self, forKey: .alphaSemi)
            custom = try members.decodeIfPresent(Bool.self, forKey: .custom)
            setup = try members.decodeIfPresent(String.self, forKey: .setup)
            delegate = try members.decodeIfPresent(Answers.self, forKey: .delegate)
            hasDelegate = try !(members.contains(.delegate) && members.decodeNil(forKey: .delegate))
        }
    }

    struct Answers: Decodable {
        var appear: Bool?
        var moveBg: Bool?
        var margin: Double?
        var allowed: [String]?
        var shouldSwipe: Bool?
        var vetoDirs: [String]?
        var vetoIdx: [Int]?
        var onRunOut: String?
    }

    struct Step: Decodable {
        struct Expectation: Decodable {
            struct Rest: Decodable {
                var item: Int
                var frame: [Double]
                var alpha: Double
            }

            var currentIndex: Int
            var cardCount: Int
            var exhausted: Bool
            var isAnimating: Bool
            var items: [Int]
            var callbacks: [[CallbackPart]]
            var rest: [Rest]?
        }

        var op: String
        var at: [Double]?
        var from: [Double]?
        var to: [Double]?
        var n: Int?
        var dir: String?
        var force: Bool?
        var atMs: Double
        var expect: Expectation
    }

    /// A callback's name or one of its arguments, as a string.
    struct CallbackPart: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                text = String(number)
            } else if let flag = try? container.decode(Bool.self) {
                text = String(flag)
            } else {
                text = try container.decode(String.self)
            }
        }
    }

    var id: String
    var about: String
    var config: Config
    var steps: [Step]

    var testDescription: String { id }
}
