// A moment as bytes. The data of its cards is not included, because it can be large.

extension Moment {
    /// The moment without the data of its cards.
    public func snapshot() -> [UInt8] {
        var writer = SnapshotWriter.formatted(capacity: 1024)
        writer.write(self)
        return writer.bytes
    }

    /// Restores a moment. No card has data.
    ///
    /// - Throws: an error that says why the bytes cannot be read.
    public init(snapshot bytes: ArraySlice<UInt8>) throws(SnapshotError) {
        var reader = try SnapshotReader(formatted: bytes)
        try self.init(from: &reader)
        try reader.requireEnd()
    }
}

extension SnapshotWriter {
    /// Writes numbers in few bytes: the bits in reverse order, so that the many zeros of a short fraction are the highest
    /// ones.
    fileprivate mutating func exact(_ numbers: Double...) {
        for number in numbers { unsigned(number.bitPattern.byteSwapped) }
    }

    /// Writes numbers rounded to millionths, as the wire has them. One that is about as near to the next millionth, so that
    /// the wire might round it to that, is written exactly.
    fileprivate mutating func millionths(_ numbers: Double...) {
        for number in numbers {
            let scaled = number * 1_000_000
            let rounded = scaled.rounded()
            guard scaled.magnitude < 1e12, (scaled - rounded).magnitude < 0.499 else {
                unsigned(0)
                exact(number)
                continue
            }
            let integer = Int(rounded)
            unsigned(UInt64(bitPattern: Int64(integer << 1 ^ integer >> 63)) + 1)
        }
    }
}

extension SnapshotReader {
    fileprivate mutating func exact() throws(SnapshotError) -> Double {
        let number = Double(bitPattern: try unsigned().byteSwapped)
        guard number.isFinite else { throw .damaged }
        return number
    }

    fileprivate mutating func millionths() throws(SnapshotError) -> Double {
        let folded = try unsigned()
        guard folded > 0 else { return try exact() }
        let bits = folded - 1
        return Double(Int64(bitPattern: bits >> 1 ^ (0 &- (bits & 1)))) / 1_000_000
    }
}

extension Moment: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        frame.write(zip(frame.cards, contents).map { SavedCard(card: $0, label: $1?.label) }, to: &writer)
        writer.write(motion)
        writer.write(speech)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        var cards: [SavedCard] = []
        let frame = try Frame(from: &reader, &cards)
        let contents = cards.map { $0.card.isInDeck ? CardContent(label: $0.label) : nil }
        self.init(frame: frame, contents: contents, motion: try reader.read(), speech: try reader.read())
    }
}

/// A card of a moment, with its label.
private struct SavedCard {
    var card: FrameCard
    var label: String?
}

extension Frame {
    fileprivate func write(_ cards: [SavedCard], to writer: inout SnapshotWriter) {
        writer.write(version)
        writer.write(at)
        writer.write(currentIndex)
        writer.write(cardCount)
        writer.write(visibleCount)
        writer.write(loop)
        writer.write(exhausted)
        writer.write(dragging)
        writer.write(settlesAt)
        writer.write(canRevert)
        writer.write(canRedo)
        writer.write(drag)
        writer.write(pending)
        writer.write(cards)
        writer.write(lastNotification)
    }

    /// - Parameter cards: gets the cards with their labels.
    fileprivate init(from reader: inout SnapshotReader, _ cards: inout [SavedCard]) throws(SnapshotError) {
        self.init(
            version: try reader.read(),
            at: try reader.read(),
            currentIndex: try reader.read(),
            cardCount: try reader.read(),
            visibleCount: try reader.read(),
            loop: try reader.read(),
            exhausted: try reader.read(),
            dragging: try reader.read(),
            settlesAt: try reader.read(),
            canRevert: try reader.read(),
            canRedo: try reader.read(),
            drag: try reader.read(),
            pending: try reader.read(),
            cards: [],
            lastNotification: 0
        )
        cards = try reader.read()
        self.cards = cards.map(\.card)
        lastNotification = try reader.read()
    }
}

extension FrameDrag: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.exact(translation.x, translation.y)
        writer.write(direction)
        writer.exact(progress, thresholdProgress)
        writer.write(decision)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            translation: Vector(x: try reader.exact(), y: try reader.exact()),
            direction: try reader.read(),
            progress: try reader.exact(),
            thresholdProgress: try reader.exact(),
            decision: try reader.read()
        )
    }
}

extension ReleaseDecision: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .swipes(let direction):
            writer.byte(0)
            writer.write(direction)
        case .waits(let direction):
            writer.byte(1)
            writer.write(direction)
        case .reverts(let direction):
            writer.byte(2)
            writer.write(direction)
        case .resets(let reason):
            writer.byte(3)
            writer.write(reason.rawValue)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0: self = .swipes(try reader.read())
        case 1: self = .waits(try reader.read())
        case 2: self = .reverts(try reader.read())
        case 3:
            guard let reason = ResetReason(rawValue: try reader.read()) else { throw .damaged }
            self = .resets(reason)
        default: throw .damaged
        }
    }
}

extension FramePending: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(index)
        writer.write(id)
        writer.write(direction)
        writer.write(since)
        writer.write(until)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            index: try reader.read(),
            id: try reader.read(),
            direction: try reader.read(),
            since: try reader.read(),
            until: try reader.read()
        )
    }
}

extension SavedCard: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(card.index)
        writer.write(card.id)
        writer.byte(card.role.rawValue)
        writer.write(card.z)
        writer.millionths(card.frame.x, card.frame.y, card.frame.width, card.frame.height)
        writer.write(card.face)
        writer.write(card.flip)
        writer.write(card.matrix, exactly: card.flip != nil)
        writer.millionths(card.anchor.x, card.anchor.y, card.contentScale.x, card.contentScale.y, card.opacity)
        writer.write(card.interactive)
        writer.write(card.overlay)
        writer.write(card.allowedDirections)
        writer.write(card.isInDeck)
        if card.isInDeck { writer.write(label) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let (index, id) = (try reader.read(Int.self), try reader.read(CardID.self))
        guard let role = FrameCard.Role(rawValue: try reader.byte()) else { throw .damaged }
        let (z, frame) = (try reader.read(Int.self), try reader.rect())
        let (face, flip) = (try reader.read(CardFace.self), try reader.read(Flip?.self))
        card = FrameCard(
            index: index,
            id: id,
            role: role,
            z: z,
            frame: frame,
            matrix: try reader.matrix(exactly: flip != nil),
            face: face,
            flip: flip,
            anchor: UnitPoint(x: try reader.millionths(), y: try reader.millionths()),
            contentScale: Vector(x: try reader.millionths(), y: try reader.millionths()),
            opacity: try reader.millionths(),
            interactive: try reader.read(),
            overlay: try reader.read(),
            allowedDirections: try reader.read(),
            isInDeck: try reader.read()
        )
        if card.isInDeck { label = try reader.read() }
    }
}

// The matrix of a card that is turned in space is multiplied before it is rounded on the wire.
extension SnapshotWriter {
    fileprivate mutating func write(_ matrix: Matrix, exactly: Bool) {
        guard exactly else { return millionths(matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty) }
        exact(matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty)
    }
}

extension SnapshotReader {
    fileprivate mutating func matrix(exactly: Bool) throws(SnapshotError) -> Matrix {
        var numbers: [Double] = []
        for _ in 0..<6 { numbers.append(exactly ? try exact() : try millionths()) }
        return Matrix(a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
    }

    fileprivate mutating func rect() throws(SnapshotError) -> Rect {
        Rect(x: try millionths(), y: try millionths(), width: try millionths(), height: try millionths())
    }
}

extension Flip: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(axis == .vertical)
        writer.exact(angle.value, perspective)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            axis: try reader.read(Bool.self) ? .vertical : .horizontal,
            angle: Radians(try reader.exact()),
            perspective: try reader.exact()
        )
    }
}

extension FrameOverlay: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(direction)
        writer.millionths(progress, alpha)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(direction: try reader.read(), progress: try reader.millionths(), alpha: try reader.millionths())
    }
}

extension MotionStep: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(card)
        writer.write(z)
        writer.write(property)
        writer.write(from)
        writer.write(to)
        writer.exact(start.milliseconds, duration.value)
        writer.write(curve)
        writer.write(ownPoints)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            card: try reader.read(),
            z: try reader.read(),
            property: try reader.read(),
            from: try reader.read(),
            to: try reader.read(),
            start: Instant(try reader.exact()),
            duration: Milliseconds(try reader.exact()),
            curve: try reader.read(),
            ownPoints: try reader.read()
        )
    }
}

extension MotionStep.Property: Snapshotted {}

extension MotionStep.Value: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .number(let number):
            writer.byte(0)
            writer.millionths(number)
        case .vector(let vector):
            writer.byte(1)
            writer.millionths(vector.x, vector.y)
        case .rect(let rect):
            writer.byte(2)
            writer.millionths(rect.x, rect.y, rect.width, rect.height)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0: self = .number(try reader.millionths())
        case 1: self = .vector(Vector(x: try reader.millionths(), y: try reader.millionths()))
        case 2: self = .rect(try reader.rect())
        default: throw .damaged
        }
    }
}

extension CurvePoint: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.exact(time, progress)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(time: try reader.exact(), progress: try reader.exact())
    }
}

extension Speech: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        writer.write(shownName)
        writer.write(frontIndex)
        writer.write(frontName)
        writer.write(lastVerdictChange)
        writer.write(lastVerdictName)
        writer.write(actions)
        writer.write(isCarousel)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            shownName: try reader.read(),
            frontIndex: try reader.read(),
            frontName: try reader.read(),
            lastVerdictChange: try reader.read(),
            lastVerdictName: try reader.read(),
            actions: try reader.read(),
            isCarousel: try reader.read()
        )
    }
}

extension DeckAction: Snapshotted {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .swipe(let direction):
            writer.byte(0)
            writer.write(direction)
        case .revert: writer.byte(1)
        case .redo: writer.byte(2)
        case .move(let index, let isForward):
            writer.byte(3)
            writer.write(index)
            writer.write(isForward)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        switch try reader.byte() {
        case 0: self = .swipe(try reader.read())
        case 1: self = .revert
        case 2: self = .redo
        case 3: self = .move(to: try reader.read(), isForward: try reader.read())
        default: throw .damaged
        }
    }
}
