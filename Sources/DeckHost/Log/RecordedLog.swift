internal import DeckEngine
internal import DeckJournal
internal import DeckWire

/// The log of a session as of a state: its lines in the journal, and those that wait to be committed.
struct RecordedLog: Sendable {
    private let id: String
    private let log: SessionLog
    private let journal: SessionJournal

    /// The log of a session.
    init(of id: String, _ log: SessionLog, in journal: SessionJournal) {
        self.id = id
        self.log = log
        self.journal = journal
    }

    var lineCount: Int { log.lineCount }

    /// Whether later changes were not recorded.
    var isCut: Bool { log.isFull }

    /// Reads lines, without line feeds.
    ///
    /// - Parameter range: the lines, of those that the log has.
    func lines(_ range: Range<Int>, _ completion: @escaping @Sendable (Result<[[UInt8]], HostError>) -> Void) {
        // Waiting lines can be committed while the others are read, and must not appear twice.
        let waiting = range.clamped(to: log.savedLineCount..<log.lineCount)
        journal.lines(of: id, range.clamped(to: 0..<log.savedLineCount)) { lines in
            completion(lines.map { $0 + waiting.map { log.waitingLines[$0 - log.savedLineCount] } })
        }
    }

    /// Reads the lines that are left from a line on, without line feeds. The page can begin later, and have fewer lines than there
    /// are.
    ///
    /// - Parameter line: one of the lines that the log has, or their number.
    func page(from line: Int, limit: Int, _ completion: @escaping @Sendable (Result<LogPage, HostError>) -> Void) {
        guard line < log.savedLineCount else {
            let lines = log.waitingLines.dropFirst(line - log.savedLineCount).prefix(limit)
            return completion(.success(LogPage(firstLine: line, lines: Array(lines))))
        }
        // Waiting lines can be committed in the meantime, and must not appear twice.
        journal.remainingLines(of: id, line..<log.savedLineCount, limit: limit) { [self] page in
            guard case .success(let page) = page, page.lines.isEmpty else { return completion(page) }
            self.page(from: page.firstLine, limit: limit, completion)
        }
    }

    /// A place in the log from which it can be played.
    struct Start: Sendable {
        /// The line; 0: the log's beginning.
        var line = 0
        /// The checkpoint; nil: the log's beginning.
        var checkpoint: [UInt8]?
        /// The line with the cards; nil: the checkpoint has them.
        var cards: (line: Int, text: [UInt8])?
        /// How many bytes were read to find it.
        var readByteCount = 0
    }

    /// Finds the last checkpoint that is not after a moment.
    func start(before time: Instant, _ completion: @escaping @Sendable (Result<Start, HostError>) -> Void) {
        let last = max(lineCount - 1, 0) / LogCheckpoint.interval
        search(1..<last + 1, time, found: Start(), completion)
    }

    /// Searches the checkpoints with these numbers by bisection. Times ascend along the log.
    ///
    /// A log from an earlier release has events where its first checkpoints should be.
    private func search(
        _ numbers: Range<Int>,
        _ time: Instant,
        found: Start,
        _ completion: @escaping @Sendable (Result<Start, HostError>) -> Void
    ) {
        guard !numbers.isEmpty else { return readCards(of: found, completion) }
        let middle = numbers.lowerBound + numbers.count / 2
        let (earlier, later) = (numbers.lowerBound..<middle, middle + 1..<numbers.upperBound)
        let line = middle * LogCheckpoint.interval
        lines(line..<line + 1) { result in
            do throws(HostError) {
                let text = try result.get().first ?? []
                let mark = try Mark(text, ofLine: line)
                var found = found
                found.readByteCount += text.count
                guard mark.time <= time else { return search(earlier, time, found: found, completion) }
                if mark.isCheckpoint { (found.line, found.checkpoint) = (line, text) }
                search(later, time, found: found, completion)
            } catch HostError.logForgotten {
                search(later, time, found: found, completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Reads the line that has the cards of a checkpoint.
    private func readCards(of start: Start, _ completion: @escaping @Sendable (Result<Start, HostError>) -> Void) {
        do throws(HostError) {
            guard let text = start.checkpoint, let line = try Mark(text, ofLine: start.line).cardsLine else {
                return completion(.success(start))
            }
            lines(line..<line + 1) { result in
                var start = start
                completion(
                    result.map { lines in
                        start.cards = lines.first.map { (line, $0) }
                        start.readByteCount += lines.first?.count ?? 0
                        return start
                    }
                )
            }
        } catch {
            completion(.failure(error))
        }
    }
}

/// What the search for a checkpoint reads of a line.
private struct Mark {
    var time = Instant.zero
    /// Whether it is a checkpoint from which the lines after it can be played.
    var isCheckpoint = false
    /// Another line that has the cards of the checkpoint.
    var cardsLine: Int?

    init(_ text: [UInt8], ofLine line: Int) throws(HostError) {
        do throws(WireError) {
            self = try JSONParser.read(text, depth: SessionLog.lineDepth) { value throws(WireError) in try Mark(value) }
        } catch {
            throw .unreadable(ReplayError(line: line + 1, error))
        }
    }

    private init(_ value: JSONValue) throws(WireError) {
        time = Instant(try value.peek("at")?.number(in: EventLimits.moments) ?? 0)
        guard let cards = value.peek("checkpoint")?.peek("cards") else { return }
        isCheckpoint = true
        guard cards.kind != .string else { return }
        cardsLine = try cards.integer(in: 0...SessionLog.capacity.lineCount)
    }
}
