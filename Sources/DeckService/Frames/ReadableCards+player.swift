import DeckEngine
import DeckHost
import DeckWire

extension ReadableCards {
    /// The cards that a player or a spectator may read in a frame: all that it has, unless it is a frame of a future time on a manual
    /// clock. Commands that wait can bring other cards to the front in such a frame. Only those that are shown now may be read.
    init(ofPlayerIn session: HostedSession, _ state: HostedSession.State, at time: Instant) {
        let present = session.now(of: state.session)
        if time <= present { self = .all } else { self.init(ofPlayerIn: state.session.advanced(to: present)) }
    }
}
