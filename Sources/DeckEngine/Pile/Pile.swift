/// The cards of a session in their order, the front card, and the verdicts on those before it.
///
/// Invariants: the front is within the deck, or right behind it once the deck has run out; a loop with cards never runs
/// out; every swipe that can be reverted or redone, and every card that was sent to the back, belongs to a card in the
/// deck. A card is referred to by its identity, and every index is derived from that.
struct Pile: Sendable, Hashable {
    private var table: CardTable
    /// The cards with their order and identities.
    var cardTable: CardTable { table }
    private var front: Int
    private var undo = History()
    private var redo = History()
    /// The cards that were sent to the back, the latest last.
    private var sentBack: [CardIdentity] = []
    /// Grows whenever the list of cards, or the content of a card, may have changed.
    private(set) var revision = 0
    #if !hasFeature(Embedded)
    private var unsavedEdits = UnsavedEdits()
    #endif

    /// - Parameters:
    ///   - startIndex: the index of the front card; one beyond the deck counts as its end, and in a loop modulo the count.
    init(_ cards: CardList, startIndex: Int, loops: Bool) {
        table = CardTable(cards)
        let count = cards.count
        front = loops && count > 0 ? max(startIndex, 0) % count : min(max(startIndex, 0), count)
    }

    init(
        _ table: CardTable,
        front: Int,
        undo: History,
        redo: History,
        sentBack: [CardIdentity],
        revision: Int
    ) {
        self.table = table
        self.front = front
        self.undo = undo
        self.redo = redo
        self.sentBack = sentBack
        self.revision = revision
    }

    private mutating func edit(_ edit: CardEdit) {
        table.apply(edit)
        #if !hasFeature(Embedded)
        unsavedEdits.append(edit)
        #endif
        revision += 1
    }

    #if !hasFeature(Embedded)
    /// The edits of the cards since the last call; nil if the cards were replaced.
    mutating func takeEdits() -> [CardEdit]? {
        unsavedEdits.take()
    }

    /// Uses the storage of an equal list of cards.
    mutating func useStorage(of cards: CardList) {
        table.list = cards
    }

    /// Whether the cards have changed since `takeEdits` was last called.
    var hasUnsavedCards: Bool { !unsavedEdits.isEmpty }
    #endif

    // MARK: Reading

    var cards: CardList { table.list }
    var count: Int { table.count }
    /// The index of the front card; the number of cards once the deck has run out.
    var frontIndex: Int { front }
    var isExhausted: Bool { front >= count }
    /// How many cards are left, the front one included.
    var remaining: Int { count - front }
    var isRearrangeable: Bool { table.isRearrangeable }
    /// How many swipes can be reverted.
    var revertibleCount: Int { undo.count }
    var revertibleVerdicts: [SerialNumber] { undo.all.map { $0.verdict } }
    /// How many reverted swipes can be redone.
    var redoableCount: Int { redo.count }
    var frontCard: CardIdentity? { isExhausted ? nil : table.identity(at: front) }
    var lastSwipe: PastSwipe? { undo.last }

    func index(of card: CardIdentity) -> Int? {
        table.index(of: card)
    }

    func identity(at index: Int) -> CardIdentity {
        table.identity(at: index)
    }

    /// The content of a card; nil if it is no longer in the deck.
    func content(of card: CardIdentity) -> Card? {
        index(of: card).map { table.list[$0] }
    }

    /// The id of a card; nil if it is no longer in the deck.
    func id(of card: CardIdentity) -> CardID? {
        index(of: card).map { table.list.id(at: $0) }
    }

    /// The index of the card that is `offset` cards behind the front one. In a loop it wraps around.
    func index(behindFront offset: Int, loops: Bool) -> Int {
        loops ? (front + offset) % count : front + offset
    }

    /// How many cards a window of this many slots shows.
    func windowCount(_ slots: Int, loops: Bool) -> Int {
        min(slots, loops ? count : max(remaining, 0))
    }

    // MARK: Rules of a card

    // They get the scene, which is small. To pass its rules would copy them.

    func allowedDirections(of card: CardIdentity, in scene: Scene) -> Directions {
        own(card) { $0.allowedDirections } ?? scene.settings.rules.allowedDirections
    }

    func deniedDirections(of card: CardIdentity, in scene: Scene) -> Directions {
        own(card) { $0.deniedDirections } ?? scene.settings.rules.deniedDirections
    }

    /// The directions that a finger can move a card in; nil: all.
    func dragDirections(of card: CardIdentity, in scene: Scene) -> Directions? {
        own(card) { $0.dragDirections } ?? scene.settings.rules.dragDirections
    }

    func isDraggable(_ card: CardIdentity, in scene: Scene) -> Bool {
        own(card) { $0.draggable } ?? scene.settings.rules.draggable
    }

    func isUndoable(_ card: CardIdentity) -> Bool {
        own(card) { $0.undoable } ?? true
    }

    private func own<Value>(_ card: CardIdentity, _ member: (borrowing Card) -> Value?) -> Value? {
        guard case .listed = table.list, let index = index(of: card) else { return nil }
        return table.list.own(at: index, member)
    }

    // MARK: The front

    /// A movement of the front through the deck.
    struct Move: Sendable, Hashable {
        /// How many cards forward; backward if negative.
        var steps: Int
        /// How many times it has passed the seam of a loop forward; backward if negative.
        var laps: Int

        static let none = Move(steps: 0, laps: 0)
    }

    private mutating func setFront(_ index: Int, steps: Int, loops: Bool) -> Move {
        let target = front + steps
        front = index
        return Move(steps: steps, laps: loops && count > 0 ? (target - index) / count : 0)
    }

    /// Makes the card at an index the front one; in a loop by the shorter way round, and forward where both are as long.
    mutating func bringToFront(_ index: Int, loops: Bool) -> Move {
        setFront(index, steps: steps(to: index, loops: loops), loops: loops)
    }

    /// Moves the front by a number of cards. A loop wraps around; without a loop it stops at either end.
    mutating func moveFront(by steps: Int, loops: Bool) -> Move {
        guard count > 0 else { return .none }
        let target = front + steps
        guard loops else {
            let index = min(max(target, 0), count - 1)
            return setFront(index, steps: index - front, loops: false)
        }
        return setFront((target % count + count) % count, steps: steps, loops: true)
    }

    /// How many cards forward an index is; in a loop by the shorter way round.
    func steps(to index: Int, loops: Bool) -> Int {
        guard loops, count > 0 else { return index - front }
        let forward = ((index - front) % count + count) % count
        return forward <= count / 2 ? forward : forward - count
    }

    // MARK: Swipes

    /// Decides on the front card; the next one comes to the front.
    ///
    /// - Parameters:
    ///   - verdict: the verdict's number.
    ///   - isRedo: whether a reverted swipe is redone; a new swipe clears what can be redone.
    mutating func swipe(_ direction: Direction, verdict: SerialNumber, isRedo: Bool, loops: Bool) -> Move {
        guard let card = frontCard else { return .none }
        undo.append(PastSwipe(card: card, direction: direction, verdict: verdict))
        if !isRedo { redo.removeAll() }
        return setFront(loops && front + 1 == count ? 0 : front + 1, steps: 1, loops: loops)
    }

    /// Why this many swipes cannot be reverted; nil: they can.
    func refusal(reverting count: Int) -> Refusal? {
        guard count > 0, count <= undo.count else { return .nothingToRevert }
        return undo.suffix(count).allSatisfy { isUndoable($0.card) } ? nil : .notUndoable
    }

    /// Reverts the last swipe; its card comes to the front.
    mutating func revert(loops: Bool) -> (swipe: PastSwipe, move: Move)? {
        guard let swipe = undo.removeLast(), let index = index(of: swipe.card) else { return nil }
        redo.append(swipe)
        // The card before the front one is always one step back, even if the other way is as short, or if it is the
        // only card of a loop.
        let isBefore = loops && (index + 1) % count == front
        return (swipe, setFront(index, steps: isBefore ? -1 : steps(to: index, loops: loops), loops: loops))
    }

    func refusal(redoing count: Int) -> Refusal? {
        count > 0 && count <= redo.count ? nil : .nothingToRedo
    }

    /// Removes and returns the last reverted swipe, so that it can be redone.
    mutating func takeRedo() -> PastSwipe? {
        redo.removeLast()
    }

    // MARK: The back

    func refusalOfSendingToBack(loops: Bool) -> Refusal? {
        if isExhausted { return .noCard }
        return loops || isRearrangeable ? nil : .tooManyCards
    }

    /// Puts the front card behind all others. In a loop the order stays, and the next card comes to the front.
    mutating func sendToBack(loops: Bool) -> Move {
        guard let card = frontCard, loops || front < count - 1 else { return .none }
        sentBack.append(card)
        if sentBack.count > EngineLimits.historyDepth { sentBack.removeFirst() }
        guard !loops else { return moveFront(by: 1, loops: true) }
        edit(.move(from: front, to: count - 1))
        return .none
    }

    /// The index of the card that `putBack` would bring: the last one that was sent to the back and is still there. In
    /// a loop that is only the card right before the front, because the back of a loop moves on with every card.
    private func cardToPutBack(loops: Bool) -> Int? {
        sentBack.lastIndex { card in
            guard let index = index(of: card) else { return false }
            return loops ? (index + 1) % count == front : index > front
        }
    }

    func refusalOfPuttingBack(loops: Bool) -> Refusal? {
        guard let last = cardToPutBack(loops: loops), !loops || last == sentBack.count - 1 else {
            return .nothingToPutBack
        }
        return nil
    }

    /// Brings the last card that was sent to the back to the front again.
    mutating func putBack(loops: Bool) -> Move {
        guard let position = cardToPutBack(loops: loops), let index = index(of: sentBack[position]) else {
            return .none
        }
        sentBack.removeSubrange(position..<sentBack.count)
        guard !loops else { return moveFront(by: -1, loops: true) }
        edit(.move(from: index, to: front))
        return .none
    }

    // MARK: Other cards

    #if !hasFeature(Embedded)
    func refusal(inserting cards: CardList, at index: Int) -> Refusal? {
        table.refusal(inserting: cards, at: index)
    }

    func refusal(reloading cards: CardList) -> Refusal? {
        table.refusal(reloading: cards)
    }

    /// Inserts cards. Before the front card they shift it; at its index they come to the front.
    mutating func insert(_ cards: CardList, at index: Int) {
        edit(.insert(cards, at: index))
        if index < front { front += cards.count }
    }
    #endif
    func refusal(changing range: Range<Int>) -> Refusal? {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= count else { return .indexOutOfRange }
        return isRearrangeable ? nil : .tooManyCards
    }

    /// Removes cards. In a loop the first card follows if the front card and all behind it were removed.
    mutating func remove(_ range: Range<Int>, loops: Bool) {
        front -= range.clamped(to: 0..<max(front, 0)).count
        edit(.remove(range))
        if loops, front >= count { front = 0 }
        forgetCardsThatAreGone()
    }

    #if !hasFeature(Embedded)
    mutating func refresh(_ range: Range<Int>, from other: CardList) {
        // Only the cards of these ids are part of the edit.
        edit(.refresh(range, from: other.subset(withIDsOf: cards, in: range)))
    }
    #endif

    /// Shuffles the front card and those behind it. The order depends only on the seed.
    mutating func shuffle(seed: UInt64) {
        edit(.shuffle(from: front, seed: seed))
    }

    #if !hasFeature(Embedded)
    /// Reloads the deck. Once a card has been passed, the front stays with its card, and cards that were passed never
    /// come again, except in the next round of a loop. If the front card is gone, the next one follows. Before that the
    /// new first card comes to the front. Cards of decks too large to be rearranged are not matched.
    mutating func reload(_ cards: CardList, loops: Bool) {
        let former = table
        let passed = table.reload(cards, passed: loops ? 0 : front)
        unsavedEdits.saveWhole()
        revision += 1
        if loops {
            let upcoming = (0..<former.count).lazy.map { [front] in (front + $0) % former.count }
            let next = upcoming.compactMap { [table] in table.index(of: former.identity(at: $0)) }.first
            front = next ?? (count > 0 ? min(front, count) % count : 0)
        } else {
            front = passed
        }
        forgetCardsThatAreGone()
    }
    #endif
    private mutating func forgetCardsThatAreGone() {
        let table = table
        undo.removeAll { table.index(of: $0.card) == nil }
        redo.removeAll { table.index(of: $0.card) == nil }
        sentBack = sentBack.filter { table.index(of: $0) != nil }
    }

    /// Starts from the first card, with an empty history.
    mutating func reset() {
        front = 0
        undo.removeAll()
        redo.removeAll()
        sentBack.removeAll()
    }

    /// Brings the first card to the front if a deck that has run out becomes a loop.
    mutating func becomeLoop() {
        if isExhausted { front = 0 }
    }
}

extension Pile {
    /// Writes the pile without its cards.
    func write(to writer: inout SnapshotWriter) {
        writer.write(front)
        writer.write(revision)
        writer.write(undo)
        writer.write(redo)
        writer.write(sentBack)
    }

    init(_ table: CardTable, from reader: inout SnapshotReader) throws(SnapshotReader.Failure) {
        let front = try reader.read(Int.self)
        let revision = try reader.read(Int.self)
        let (undo, redo) = (try reader.read(History.self), try reader.read(History.self))
        self.init(table, front: front, undo: undo, redo: redo, sentBack: try reader.read(), revision: revision)
    }

    #if !hasFeature(Embedded)
    func cardsSnapshot() -> [UInt8] {
        table.snapshot()
    }
    #endif

    /// Whether the decoded values satisfy the invariants.
    func isSound(loops: Bool) -> Bool {
        func isHere(_ swipe: PastSwipe) -> Bool { index(of: swipe.card) != nil }
        return (0...count).contains(front) && (!loops || count == 0 || front < count)
            && undo.all.allSatisfy(isHere) && redo.all.allSatisfy(isHere)
            && sentBack.allSatisfy { index(of: $0) != nil } && revision >= 0
            && sentBack.count <= EngineLimits.historyDepth
    }
}
