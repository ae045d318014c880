import MicroHTTP

extension Problem {
    /// The problem for a deck whose version is not the expected one. The ETag header has the current version.
    init(currentRevision: Int) {
        self.init(.preconditionFailed, "The deck's current version is \"\(currentRevision)\".")
        headers.set("ETag", "\"\(currentRevision)\"")
    }

    /// The problem for a deck that a request would only create, and that exists.
    init(existingRevision: Int) {
        self.init(currentRevision: existingRevision)
        detail = "There is a deck with this id already. \(detail)"
    }
}
