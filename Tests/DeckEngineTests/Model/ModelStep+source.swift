import DeckEngine

// Steps as Swift source, so that a failure can be saved as a test.
extension ModelStep {
    var source: String {
        let meant = target.map { ", on: .\($0)" } ?? ""
        return ".init(\(wait), \(action.source)\(meant)\(isThorough ? ", thorough: true" : ""))"
    }
}

extension ModelStep.Action {
    var source: String {
        switch self {
        case .finger(let phase, let way, let grabbed, let speed):
            ".finger(.\(phase), to: \(text(way)), grabbed: \(text(grabbed)), speed: \(text(speed)))"
        case .scroll(let phase, let offset, let speed):
            ".scroll(.\(phase), offset: \(text(offset)), speed: \(text(speed)))"
        case .swipe(let direction, let force): ".swipe(.\(direction), force: \(force))"
        case .revert(let style, let count): ".revert(\(text(style)), \(count))"
        case .redo(let count): ".redo(\(count))"
        case .move(let index): ".move(\(index))"
        case .insertNumbered(let count, let index): ".insertNumbered(\(count), at: \(index))"
        case .insertListed(let names, let trait, let index): ".insertListed(\(names), .\(trait), at: \(index))"
        case .remove(let from, let to): ".remove(\(from), \(to))"
        case .refresh(let from, let to, let trait): ".refresh(\(from), \(to), .\(trait))"
        case .shuffle(let seed): ".shuffle(\(seed))"
        case .tap(let index): ".tap(\(index.map(String.init) ?? "nil"))"
        case .nudge(let direction): ".nudge(.\(direction))"
        case .reload(let count): ".reload(\(count))"
        case .reread(let names, let trait): ".reread(\(names), .\(trait))"
        case .resize(let width, let height): ".resize(\(width), \(height))"
        case .configure(let change): ".configure(\(change.source))"
        case .backwards(let time): ".backwards(\(text(time)))"
        case .sendToBack, .putBack, .reset, .appear, .tick, .restore: ".\(self)"
        }
    }

    private func text(_ number: Double?) -> String {
        number.map { "\($0)" } ?? "nil"
    }

    private func text(_ way: ModelStep.Way?) -> String {
        way.map { ".init(\($0.x), \($0.y))" } ?? "nil"
    }

    private func text(_ style: RevertStyle) -> String {
        switch style {
        case .fade: ".fade"
        case .origin: ".origin"
        case .from(let direction): ".from(.\(direction))"
        }
    }
}

extension ModelChange {
    var source: String {
        switch self {
        case .loop(let isOn): ".loop(\(isOn))"
        case .policy(let policy): ".policy(.\(policy))"
        case .threshold(let threshold): ".threshold(\(threshold))"
        case .thresholdOf(let direction, let threshold):
            ".thresholdOf(.\(direction), \(threshold.map { "\($0)" } ?? "nil"))"
        case .allowed(let directions): ".allowed(\(text(directions)))"
        case .denied(let directions): ".denied(\(text(directions)))"
        case .axis(let axis): ".axis(.\(axis))"
        case .reach(let directions): ".reach(\(directions.map(text) ?? "nil"))"
        case .draggable(let isOn): ".draggable(\(isOn))"
        case .limit(let limit): ".limit(\(limit.map { "\($0)" } ?? "nil"))"
        case .pullBack(let isOn): ".pullBack(\(isOn))"
        case .refillAt(let count): ".refillAt(\(count))"
        case .visible(let count): ".visible(\(count))"
        case .edges(let margin, let scale): ".edges(\(margin), scale: \(scale))"
        case .reduced(let isOn): ".reduced(\(isOn))"
        case .preset(let preset): ".preset(.\(preset))"
        case .duration(let duration, let time): ".duration(.\(duration), \(time))"
        case .resetSpring(let bounciness, let speed): ".resetSpring(\(bounciness), \(speed))"
        case .snapSpring(let bounciness, let speed): ".snapSpring(\(bounciness), \(speed))"
        case .backgroundSpring(let bounciness, let speed): ".backgroundSpring(\(bounciness), \(speed))"
        case .noBackgroundSpring: ".noBackgroundSpring"
        case .tracking(let tracking): ".tracking(.\(tracking))"
        case .follow(let isOn): ".follow(\(isOn))"
        case .turn(let angle, let scale): ".turn(\(angle), scale: \(scale))"
        case .grows(let isOn): ".grows(\(isOn))"
        case .opacity(let opaque, let behind, let fadeNext):
            ".opacity(\(opaque), behind: \(behind), fadeNext: \(fadeNext))"
        case .overlay(let start, let end, let curve): ".overlay(\(start), \(end), .\(curve))"
        case .overlayOf(let direction, let start, let end, let curve):
            ".overlayOf(.\(direction), \(start), \(end), .\(curve))"
        }
    }

    private func text(_ directions: [Direction]) -> String {
        "[\(directions.map { ".\($0)" }.joined(separator: ", "))]"
    }
}
