/// Elements in the order in which they were added. Removing the first ones costs the same on average however many remain.
struct Queue<Element> {
    /// The first of them are nil: those elements were removed.
    private var places: [Element?] = []
    private var removedCount = 0

    mutating func append(_ element: Element) {
        places.append(element)
    }

    mutating func removeFirst(_ count: Int = 1) {
        for place in removedCount..<removedCount + count { places[place] = nil }
        removedCount += count
        // Each remaining element is moved for a removed one.
        guard 2 * removedCount > places.count else { return }
        places.removeFirst(removedCount)
        removedCount = 0
    }
}

extension Queue: Sendable where Element: Sendable {}

extension Queue: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { places.count - removedCount }

    subscript(index: Int) -> Element {
        guard let element = places[removedCount + index] else { preconditionFailure("the element was removed") }
        return element
    }
}
