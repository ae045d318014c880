/// Reads a list of numbers without trusting any of them.
struct NumberReader {
    private let numbers: [Double]
    private var position = 0

    init(_ numbers: [Double]) {
        self.numbers = numbers
    }

    var isAtEnd: Bool { position == numbers.count }

    private mutating func next() throws(ClientError) -> Double {
        guard position < numbers.count else { throw .invalid }
        defer { position += 1 }
        return numbers[position]
    }

    /// A number in a range, which NaN never is.
    mutating func number(in range: ClosedRange<Double>) throws(ClientError) -> Double {
        let number = try next()
        guard range.contains(number) else { throw .invalid }
        return number
    }

    /// A number in a range; nil: NaN.
    mutating func optionalNumber(in range: ClosedRange<Double>) throws(ClientError) -> Double? {
        let number = try next()
        if number.isNaN { return nil }
        guard range.contains(number) else { throw .invalid }
        return number
    }

    /// A number without a fraction.
    mutating func wholeNumber(in range: ClosedRange<Double>) throws(ClientError) -> Double {
        let number = try number(in: range)
        guard number == number.rounded(.towardZero) else { throw .invalid }
        return number
    }

    mutating func integer(in range: ClosedRange<Int>) throws(ClientError) -> Int {
        Int(try wholeNumber(in: Double(range.lowerBound)...Double(range.upperBound)))
    }

    /// An integer; nil: NaN.
    mutating func optionalInteger(in range: ClosedRange<Int>) throws(ClientError) -> Int? {
        guard position < numbers.count, numbers[position].isNaN else { return try integer(in: range) }
        position += 1
        return nil
    }
}
