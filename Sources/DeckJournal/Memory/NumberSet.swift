/// A set of numbers in their order. Numbers that are greater than most are added and removed quickly.
struct NumberSet {
    private var numbers: [Int] = []

    /// The place of the first number that is not less than another one.
    private func place(of number: Int) -> Int {
        var (start, end) = (0, numbers.count)
        while start < end {
            let middle = start + (end - start) / 2
            if numbers[middle] < number { start = middle + 1 } else { end = middle }
        }
        return start
    }

    mutating func insert(_ number: Int) {
        let place = place(of: number)
        if place < numbers.count, numbers[place] == number { return }
        numbers.insert(number, at: place)
    }

    mutating func remove(_ number: Int) {
        let place = place(of: number)
        if place < numbers.count, numbers[place] == number { numbers.remove(at: place) }
    }

    mutating func removeAll(where isGone: (Int) -> Bool) {
        numbers.removeAll(where: isGone)
    }

    /// The numbers within a range.
    subscript(range: ClosedRange<Int>) -> ArraySlice<Int> {
        let start = place(of: range.lowerBound)
        let end = range.upperBound == .max ? numbers.count : place(of: range.upperBound + 1)
        return numbers[start..<end]
    }

    /// The first number after another one; nil: there is none.
    func first(after number: Int) -> Int? {
        guard number < .max else { return nil }
        let place = place(of: number + 1)
        return place < numbers.count ? numbers[place] : nil
    }
}
