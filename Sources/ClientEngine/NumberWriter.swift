import DeckEngine

/// Writes values as a list of numbers. NaN stands for a value that is absent.
struct NumberWriter {
    private(set) var numbers: [Double] = []

    @inline(never)
    mutating func write(_ number: Double) {
        numbers.append(number)
    }

    /// Replaces a number that was written.
    mutating func replace(at place: Int, by number: Int) {
        numbers[place] = Double(number)
    }

    mutating func write(_ number: Double?) {
        write(number ?? .nan)
    }

    mutating func write(_ number: some BinaryInteger) {
        write(Double(number))
    }

    mutating func write(_ number: Int?) {
        write(number.map { Double($0) } ?? .nan)
    }

    mutating func write(_ flag: Bool) {
        write(flag ? 1.0 : 0)
    }

    mutating func write(_ direction: Direction?) {
        write(direction.map { Double($0.rawValue) } ?? .nan)
    }

    mutating func write(_ vector: Vector) {
        write(vector.x)
        write(vector.y)
    }

    mutating func write(_ directions: Directions) {
        write(directions.count)
        for direction in directions { write(direction) }
    }

    /// The number of a card. In the server's tests it is a counted id.
    mutating func write(card id: CardID?) {
        #if hasFeature(Embedded)
        write(id.map { Double($0) } ?? .nan)
        #else
        write(id?.number.map { Double($0) } ?? .nan)
        #endif
    }
}
