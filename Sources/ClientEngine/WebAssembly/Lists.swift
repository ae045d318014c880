// Operations on lists that take the place of the standard library's in WebAssembly. The library's are faster, and each
// kind of element has its own copy of their code; these share a loop and `append`.

extension Collection {
    @inline(never)
    func map<Mapped>(_ transform: (Element) -> Mapped) -> [Mapped] {
        var mapped: [Mapped] = []
        for element in self { mapped.append(transform(element)) }
        return mapped
    }
}

extension Sequence {
    @inline(never)
    func allSatisfy(_ isFulfilled: (Element) -> Bool) -> Bool {
        for element in self where !isFulfilled(element) { return false }
        return true
    }
}

extension Array {
    /// The elements that fulfil a condition.
    @inline(never)
    func filter(_ isIncluded: (Element) -> Bool) -> [Element] {
        var filtered: [Element] = []
        for position in 0..<count where isIncluded(self[position]) { filtered.append(self[position]) }
        return filtered
    }

    @inline(never)
    func firstIndex(where isWanted: (Element) -> Bool) -> Int? {
        for position in 0..<count where isWanted(self[position]) { return position }
        return nil
    }

    @inline(never)
    func lastIndex(where isWanted: (Element) -> Bool) -> Int? {
        var position = count - 1
        while position >= 0 {
            if isWanted(self[position]) { return position }
            position -= 1
        }
        return nil
    }

    @inline(never)
    func first(where isWanted: (Element) -> Bool) -> Element? {
        guard let position = firstIndex(where: isWanted) else { return nil }
        return self[position]
    }

    @inline(never)
    func last(where isWanted: (Element) -> Bool) -> Element? {
        guard let position = lastIndex(where: isWanted) else { return nil }
        return self[position]
    }

    func contains(where isWanted: (Element) -> Bool) -> Bool {
        firstIndex(where: isWanted) != nil
    }

    /// `append` makes room itself.
    mutating func reserveCapacity(_: Int) {}

    @inline(never)
    static func += (list: inout [Element], elements: [Element]) {
        for element in elements { list.append(element) }
    }

    @inline(never)
    @discardableResult
    mutating func remove(at position: Int) -> Element {
        let removed = self[position]
        removeSubrange(position..<position + 1)
        return removed
    }

    mutating func popLast() -> Element? {
        isEmpty ? nil : remove(at: count - 1)
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
