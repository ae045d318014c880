// Operations on arrays that take the place of the standard library's in WebAssembly. The library's are faster, and each
// kind of element has its own copy of their code; these share a loop and `append`.

extension Array {
    /// The elements that fulfil a condition.
    @inline(never)
    func filter(_ isIncluded: (Element) -> Bool) -> [Element] {
        var filtered: [Element] = []
        for element in self where isIncluded(element) { filtered.append(element) }
        return filtered
    }

    @inline(never)
    @discardableResult
    mutating func remove(at position: Int) -> Element {
        let removed = self[position]
        removeSubrange(position..<position + 1)
        return removed
    }

    @discardableResult
    mutating func removeFirst() -> Element {
        remove(at: 0)
    }

    @inline(never)
    mutating func removeSubrange(_ range: Range<Int>) {
        var rest: [Element] = []
        for position in 0..<count where !range.contains(position) { rest.append(self[position]) }
        self = rest
    }

    @inline(never)
    mutating func insert(_ element: __owned Element, at place: Int) {
        var longer: [Element] = []
        for position in 0..<place { longer.append(self[position]) }
        longer.append(element)
        for position in place..<count { longer.append(self[position]) }
        self = longer
    }
}
