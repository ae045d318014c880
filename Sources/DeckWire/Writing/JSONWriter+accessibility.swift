import DeckEngine

extension JSONWriter {
    /// Writes the texts for a screen reader, and the actions that need no pointer.
    mutating func member(_ name: StaticString, _ accessibility: Accessibility) {
        object(name) { writer in
            writer.member("label", accessibility.label)
            writer.member("position", accessibility.position)
            writer.array("actions") { writer in
                for action in accessibility.actions { writer.write(action) }
            }
            writer.member("announcement", accessibility.announcement)
        }
    }

    private mutating func write(_ action: AccessibleAction) {
        object { writer in
            writer.member("label", action.label)
            writer.member("key", action.key)
            writer.object("event") { $0.event(of: action.action) }
        }
    }

    /// The event for an action, without its time.
    private mutating func event(of action: DeckAction) {
        switch action {
        case .swipe(let direction):
            member("type", "swipe" as StaticString)
            member("direction", direction.name)
        case .revert:
            member("type", "revert" as StaticString)
            member("direction", "origin" as StaticString)
        case .redo: member("type", "redo" as StaticString)
        case .move(let index, _):
            member("type", "move" as StaticString)
            member("to", index)
        }
    }
}
