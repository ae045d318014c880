internal import DeckEngine
internal import DeckWire

extension Operation {
    /// The error of a player's events that no rule of a session allows; nil: there is none. Such a request must not even get the
    /// saved outcome of another request with its key.
    var playerError: HostError? {
        guard isByPlayer, case .events(let requests, _) = action else { return nil }
        return requests.lazy.compactMap { $0.playerError(under: .all) }.first
    }
}

extension HostedSession.State {
    /// Checks that a player may do what an operation does.
    ///
    /// - Throws: `notAllowedForPlayers` with the first place that a player may not ask for.
    func checkPlayer(_ action: Operation.Action) throws(HostError) {
        let allowed = session.settings.rules.playerEvents
        switch action {
        case .events(let requests, _):
            for request in requests {
                if let error = request.playerError(under: allowed) { throw error }
            }
        case .patch(let body):
            let (patch, _) = try read(patch: body)
            if let pointer = patch.ownersMember {
                throw .notAllowedForPlayers(pointer: pointer, detail: "can only be changed with the session's `token`")
            }
            guard patch.viewport == nil || allowed.contains(.resize) else {
                throw .notAllowedForPlayers(pointer: "/viewport", detail: PlayerEvent.resize.excluded)
            }
            guard patch.screen == nil || allowed.contains(.resize) else {
                throw .notAllowedForPlayers(pointer: "/screen", detail: PlayerEvent.resize.excluded)
            }
        }
    }
}

extension PlayerEvent {
    /// Why a session's rules exclude the event.
    fileprivate var excluded: String { "needs the event \(name), which `rules.playerEvents` does not contain" }
}

extension EventRequest {
    /// Why a player may not send the event; nil: it may.
    fileprivate func playerError(under allowed: PlayerEvents) -> HostError? {
        guard let event = playerEvent else {
            return .notAllowedForPlayers(pointer: "\(pointer)/type", detail: "is an event that players cannot send")
        }
        guard allowed.contains(event) else {
            return .notAllowedForPlayers(pointer: "\(pointer)/type", detail: event.excluded)
        }
        guard !isForced else {
            return .notAllowedForPlayers(pointer: "\(pointer)/force", detail: "must not be true in a player's request")
        }
        return nil
    }
}
