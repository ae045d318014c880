import DeckEngine
import DeckHost

extension PastReader {
    /// Whether a moment is before the last event, so that it must be replayed from the log.
    ///
    /// - Throws: a problem if there is no log, or if the moment is in the future.
    func checkIsPast(_ time: Instant, in committed: SessionTable.CommittedSession) throws(Problem) -> Bool {
        do throws(HostError) {
            return try isPast(time, in: committed)
        } catch {
            throw Problem(error)
        }
    }
}
