@testable import DeckEngine

// Steps as they are written in a test, so that a failure can be kept as one.
extension ModelStep {
    var source: String {
        ".init(\(wait), \(action.source))"
    }
}

extension ModelStep.Action {
    fileprivate var source: String {
        switch self {
        case .drag(let phase, let x, let y, let speed):
            ".drag(.\(phase), x: \(text(x)), y: \(text(y)), speed: \(text(speed)))"
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
        case .resize(let width, let height): ".resize(\(width), \(height))"
        case .configure(let change): ".configure(\(change.source))"
        case .sendToBack: ".sendToBack"
        case .putBack: ".putBack"
        case .reset: ".reset"
        case .appear: ".appear"
        case .tick: ".tick"
        }
    }

    private func text(_ number: Double?) -> String {
        number.map { "\($0)" } ?? "nil"
    }

    private func text(_ style: RevertStyle) -> String {
        switch style {
        case .fade: ".fade"
        case .origin: ".origin"
        case .from(let direction): ".from(.\(direction))"
        }
    }
}

extension ModelStep.Change {
    fileprivate var source: String {
        switch self {
        case .loop(let loop): ".loop(\(loop))"
        case .policy(let policy): ".policy(.\(policy))"
        case .threshold(let threshold): ".threshold(\(threshold))"
        case .allowed(let directions): ".allowed([\(directions.map { ".\($0)" }.joined(separator: ", "))])"
        case .visible(let count): ".visible(\(count))"
        case .reduced(let reduced): ".reduced(\(reduced))"
        case .preset(let preset): ".preset(.\(preset))"
        }
    }
}
