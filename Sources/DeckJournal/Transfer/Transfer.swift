/// A journal that is copied. No process changes it meanwhile. Calls block.
public protocol TransferSource {
    /// The counts as they are now.
    func counts() throws(JournalError) -> TransferCounts

    /// About how many rows a table has.
    func rowCount(of table: TransferTable) throws(JournalError) -> Int

    /// Rows of a table in the order of its key, from the one after a key on; nil: from the first one on. Empty if there are no
    /// more.
    func rows(of table: TransferTable, after key: TransferRow?) throws(JournalError) -> [TransferRow]

    /// Closes the journal.
    func close() throws(JournalError)
}

/// How much a source reads at a time.
package enum TransferPage {
    /// The number of rows.
    package static let rows = 2000
    /// The bytes after which a page ends.
    package static let bytes = 4 << 20
}

/// The journal into which another one is copied. Calls block.
public protocol TransferTarget {
    /// Starts a copy, or continues one. Fails if the journal has other data, or if a copy of another journal, or
    /// of another state of the same one, was started.
    ///
    /// - Parameter source: identifies the journal that is copied and its state.
    func begin(source: String) throws(JournalError)

    /// The key of a table's last row; nil: it has none.
    func lastKey(of table: TransferTable) throws(JournalError) -> TransferRow?

    /// Adds rows that follow the table's last row. They are there as soon as this returns, all of them or none.
    func add(_ rows: [TransferRow], to table: TransferTable) throws(JournalError)

    /// Ends the copy: from now on a server can use the journal. Its generation is above the source's and above
    /// `Generation.elapsed`.
    func finish(_ counts: TransferCounts) throws(JournalError)
}

/// A copy of a journal, row by row. A copy that was interrupted can be continued.
public struct Transfer {
    /// How far a copy is.
    public struct Progress: Sendable, Hashable {
        /// The table that is copied.
        public var table: TransferTable
        /// The rows that were copied in this run.
        public var copiedRows: Int
        /// About how many rows of all tables are in the target.
        public var presentRows: Int
        /// About how many rows the source has.
        public var rows: Int
    }

    private let source: any TransferSource
    private let target: any TransferTarget

    /// Creates a copy from one journal into another.
    public init(from source: any TransferSource, to target: any TransferTarget) {
        self.source = source
        self.target = target
    }

    /// Copies everything. If it fails, it can be run again.
    ///
    /// - Parameters:
    ///   - name: identifies the source.
    ///   - report: is called after each step.
    /// - Returns: the rows that were copied in this run.
    public func run(from name: String, report: (Progress) -> Void) throws(JournalError) -> Int {
        let counts = try source.counts()
        try target.begin(source: "\(name) \(counts)")
        var total = 0
        for table in TransferTable.allCases { total += try source.rowCount(of: table) }
        var progress = Progress(table: .deck, copiedRows: 0, presentRows: 0, rows: total)
        for table in TransferTable.allCases {
            progress.table = table
            try copy(table, &progress, report)
        }
        guard try source.counts() == counts else {
            throw .unavailable("the source has changed meanwhile; stop every server that uses it, and begin again")
        }
        try target.finish(counts)
        return progress.copiedRows
    }

    private func copy(
        _ table: TransferTable,
        _ progress: inout Progress,
        _ report: (Progress) -> Void
    ) throws(JournalError) {
        let former = progress.presentRows
        let count = try source.rowCount(of: table)
        var key = try target.lastKey(of: table)
        let isBegun = key != nil
        report(progress)
        while true {
            let rows = try source.rows(of: table, after: key)
            guard let last = rows.last else { break }
            try target.add(rows, to: table)
            key = Array(last.prefix(table.keyCount))
            progress.copiedRows += rows.count
            // How many rows a run before has copied is not counted.
            if !isBegun { progress.presentRows += rows.count }
            report(progress)
        }
        progress.presentRows = former + count
    }
}
