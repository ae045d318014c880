import DeckEngine
import Foundation
import Testing

/// Reads the golden data that was recorded from Koloda 5.0.1 and Facebook Pop (`Vectors/`).
enum Vectors {
    static func read<Contents: Decodable>(
        _ name: String,
        in folder: String = "Vectors",
        as type: Contents.Type
    ) throws -> Contents {
        let file = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: folder))
        return try JSONDecoder().decode(type, from: Data(contentsOf: file))
    }
}

extension Rect {
    init(_ numbers: [Double]) {
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// The largest difference between the four numbers.
    func difference(from other: Rect) -> Double {
        max(abs(x - other.x), abs(y - other.y), abs(width - other.width), abs(height - other.height))
    }
}

extension Size {
    init(_ numbers: [Double]) {
        self.init(width: numbers[0], height: numbers[1])
    }
}

extension Vector {
    init(_ numbers: [Double]) {
        self.init(x: numbers[0], y: numbers[1])
    }
}

extension Direction {
    /// The direction for a name in the vectors and on the wire.
    init(named name: String) throws {
        self = try #require(Direction.allCases.first { "\($0)" == name })
    }
}
