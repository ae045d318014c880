import DeckWire

extension JSONParser {
    /// Reads the body of a request.
    static func read<Result>(
        body: [UInt8],
        _ use: (JSONValue) throws(WireError) -> Result
    ) throws(Problem) -> Result {
        do throws(WireError) {
            return try read(body, use)
        } catch {
            throw Problem(error)
        }
    }

    /// Reads a document from the journal. If it cannot be read, the problem is one of the server.
    ///
    /// - Parameter name: names the document in the problem.
    static func read<Result>(
        saved document: [UInt8],
        _ name: String,
        _ use: (JSONValue) throws(WireError) -> Result
    ) throws(Problem) -> Result {
        do throws(WireError) {
            return try read(document, use)
        } catch {
            throw Problem(.journalUnavailable, "\(name) in the journal cannot be read: \(error.issue.detail)")
        }
    }
}
