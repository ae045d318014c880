/// What must end before the deck changes.
enum Interruption {
    /// Nothing: cards move on to their new places.
    case nothing
    /// Arrivals that are still due are announced. A drag continues.
    case arrivals
    /// A drag, a hint and a pending swipe end, and arrivals are announced.
    case gesture
    /// Queued commands take effect first, then as `gesture`; a reset no longer counts as animating. If the card stays in front, a
    /// pending swipe and a drag continue.
    case everything(keepsFront: Bool)
}

/// A change of the pile, and how it is shown.
struct Change {
    /// How the front has moved.
    var move = Pile.Move.none
    /// How the new front card is announced; nil: it is not.
    var arrival: Arrival?
}

/// How a front card arrives, and when it is announced.
enum Arrival {
    /// After the front card has been swiped.
    case swiped(PlacedSwipe)
    /// After a revert, when the card is back; nil: when it has come to the front.
    case reverted(at: Instant?)
    /// When it has come to the front.
    case shown
    /// At once, if it is another card than the last one announced.
    case listed
    /// At once, in a deck that is rebuilt at rest.
    case rebuilt(appears: Bool)
}

/// A card that is swiped now.
struct PlacedSwipe {
    var card: CardIdentity
    var direction: Direction
    var isRedo: Bool
}

// The one way in which an event changes the pile or the settings: first the motions and gestures that must end are
// ended, then the pile or the settings change, the stage shows the change, and its consequences are scheduled or
// announced. Effects that were due by now have been applied before, when time advanced. Only scrolling works in the
// opposite order: the carousel moves, and the front of the pile follows it.
extension DeckSession {
    /// - Parameters:
    ///   - fades: whether cards that lose their slots fade; otherwise they vanish behind the others.
    ///   - isLast: whether no other change of the same event follows.
    ///   - edit: changes the pile or the settings; refusals were checked before.
    @discardableResult
    mutating func change(
        _ interruption: Interruption,
        fades: Bool = false,
        isLast: Bool = true,
        _ outcome: inout Outcome,
        _ edit: (inout DeckSession) -> Change
    ) -> Pile.Move {
        interrupt(interruption, &outcome.notifications)
        let witnesses = stage.witnesses(in: pile, fading: fades)
        let change = edit(&self)
        if case .rebuilt = change.arrival {
            stage.rebuild(pile, in: scene)
        } else {
            stage.restage(pile, change.move, isLast: isLast, fading: witnesses, in: scene, at: now)
        }
        if let arrival = change.arrival {
            announce(arrival, loops: change.move.laps != 0, &outcome.notifications)
        }
        return change.move
    }

    /// Ends what must end before the deck changes.
    mutating func interrupt(_ interruption: Interruption, _ notifications: inout DeckNotifications) {
        switch interruption {
        case .nothing: break
        case .arrivals:
            announceArrivals(&notifications)
        case .gesture:
            denyPending(&notifications)
            endDrag(&notifications)
            announceArrivals(&notifications)
            stage.comeToRest(pile, in: scene, at: now)
        case .everything(let keepsFront):
            performQueue(&notifications)
            stage.settleNudge(in: scene, at: now)
            if !keepsFront { denyPending(&notifications) }
            if !keepsFront { endDrag(&notifications) }
            announceArrivals(&notifications)
            stage.endResetLock(at: now)
        }
    }

    private mutating func announce(
        _ arrival: Arrival,
        loops: Bool,
        _ notifications: inout DeckNotifications
    ) {
        switch arrival {
        case .swiped(let swipe):
            if pile.isExhausted {
                let index = pile.index(of: swipe.card) ?? pile.count
                notify(.verdict(on: index, swipe.direction, isRedo: swipe.isRedo), &notifications)
                notifyRunOut(&notifications)
            } else {
                scheduleArrival(.arrived(swiped: swipe.card, swipe.direction, isRedo: swipe.isRedo, loops: loops))
            }
        case .reverted(let time): scheduleArrival(.rewound(loops: loops), at: time)
        case .shown:
            scheduleArrival(.shown(loops: loops))
        case .listed:
            if pile.isExhausted {
                if counters.lastShown != nil { notifyRunOut(&notifications) }
            } else if pile.frontCard != counters.lastShown, !stage.isBeingScrolled {
                notifyShown(&notifications)
            }
        case .rebuilt(let appears): announceRebuilt(appears: appears, &notifications)
        }
    }

    /// Announces the front card later.
    ///
    /// - Parameter time: when it is announced; nil: when the front card has arrived.
    mutating func scheduleArrival(_ effect: Effect, at time: Instant? = nil) {
        timeline.schedule(effect, at: time ?? stage.frontArrival(in: scene, at: now))
    }

    /// Announces a rebuilt deck.
    mutating func announceRebuilt(appears: Bool, _ notifications: inout DeckNotifications) {
        guard !pile.isExhausted else { return }
        notifyShown(&notifications)
        if appears { beginAppearing() }
    }

    mutating func beginAppearing() {
        timeline.cancel(.appeared)
        timeline.schedule(.appeared, at: stage.beginAppearing(in: scene, at: now))
    }
}
