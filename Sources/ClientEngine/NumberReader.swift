/// Reads a list of numbers without trusting any of them.
///
/// An invalid number is remembered, and counts as the least number that is valid. So the caller checks once, after the last
/// number, which takes less code in WebAssembly than an error that each read can throw.
struct NumberReader {
    private let numbers: [Double]
    private var position = 0
    private var isInvalid = false

    init(_ numbers: [Double]) {
        self.numbers = numbers
    }

    /// Whether all numbers were read, and all of them were valid.
    var isComplete: Bool { position == numbers.count && !isInvalid }

    /// The reader found a number that is not valid where it is.
    mutating func fail() {
        isInvalid = true
    }

    mutating func require(_ condition: Bool) {
        if !condition { fail() }
    }

    /// The next number; beyond the last one NaN.
    private mutating func next() -> Double {
        guard position < numbers.count else {
            fail()
            return .nan
        }
        defer { position += 1 }
        return numbers[position]
    }

    /// A number in a range, which NaN never is.
    mutating func number(in range: ClosedRange<Double>) -> Double {
        let number = optionalNumber(in: range)
        require(number != nil)
        return number ?? range.lowerBound
    }

    /// A number in a range; nil: NaN.
    mutating func optionalNumber(in range: ClosedRange<Double>) -> Double? {
        let number = next()
        if number.isNaN { return nil }
        guard range.contains(number) else {
            fail()
            return range.lowerBound
        }
        return number
    }

    /// A number without a fraction; nil: NaN.
    private mutating func optionalWholeNumber(in range: ClosedRange<Double>) -> Double? {
        guard let number = optionalNumber(in: range) else { return nil }
        require(number == number.rounded(.towardZero))
        return number
    }

    /// A number without a fraction.
    mutating func wholeNumber(in range: ClosedRange<Double>) -> Double {
        let number = optionalWholeNumber(in: range)
        require(number != nil)
        return number ?? range.lowerBound
    }

    mutating func integer(in range: ClosedRange<Int>) -> Int {
        Int(wholeNumber(in: Double(range.lowerBound)...Double(range.upperBound)))
    }

    /// An integer; nil: NaN.
    mutating func optionalInteger(in range: ClosedRange<Int>) -> Int? {
        optionalWholeNumber(in: Double(range.lowerBound)...Double(range.upperBound)).map { Int($0) }
    }
}
