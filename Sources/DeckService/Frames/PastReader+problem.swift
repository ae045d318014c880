import DeckEngine
import DeckHost

extension PastReader {
    /// Whether a moment lies before the last event, so that the log has to say what there was.
    ///
    /// - Throws: a problem if nothing says what there was, or if the moment is still to come.
    func checkIsPast(_ time: Instant, in sight: SessionTable.Sight) throws(Problem) -> Bool {
        do throws(HostError) {
            return try isPast(time, in: sight)
        } catch {
            throw Problem(error)
        }
    }
}
