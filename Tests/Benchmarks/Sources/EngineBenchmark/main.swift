import CAllocationCount
import DeckEngine

/// What one kind of event costs: the time and the heap allocations of one, with the frame that answers it.
struct Measurement {
    var nanoseconds: Double
    var allocations: Double
}

/// Runs a step many times and takes the quickest of several rounds, which is the one that was disturbed least.
func measure(steps: Int = 20_000, _ step: (Int) -> Void) -> Measurement {
    for index in 0..<steps / 10 { step(index) }
    var best = Double.infinity
    var allocations = Double.infinity
    for _ in 0..<7 {
        let before = allocation_count()
        let clock = ContinuousClock()
        let elapsed = clock.measure { for index in 0..<steps { step(index) } }
        allocations = min(allocations, Double(allocation_count() - before) / Double(steps))
        best = min(best, Double(elapsed.components.attoseconds) / 1e9 + Double(elapsed.components.seconds) * 1e9)
    }
    return Measurement(nanoseconds: best / Double(steps), allocations: allocations)
}

func begin(cards: Int, history: Int = 0) -> DeckSession {
    var (session, _) = DeckSession.begin(
        deck: Deck(cards: .numbered(cards)),
        viewport: Size(width: 375, height: 600)
    )
    for index in 0..<history {
        _ = try? session.apply(.swipe(.right), at: Instant(Double(index) * 1000))
    }
    _ = session.advance(to: session.now + 10_000)
    return session
}

/// What steps have produced, so that none of it can be left out.
nonisolated(unsafe) var sink = 0

/// A finger that moves every eight milliseconds, as the server applies it and reads the frame for its answer.
func dragStep(cards: Int, history: Int = 0, withFrame: Bool) -> Measurement {
    var session = Shared(begin(cards: cards, history: history))
    var time = session.value.now
    return measure { index in
        let way = Double(index % 80)
        let drag = DragEvent(.changed, translation: Vector(x: way, y: way / 3))
        time = time + 8
        guard let outcome = try? session.value.apply(.drag(drag), at: time) else { return }
        sink &+= outcome.notifications.count
        guard withFrame else { return }
        session.read { session in
            session.readFrame(at: session.now) { frame, forEachCard in
                sink &+= frame.cardCount
                forEachCard { sink &+= Int($0.matrix.tx) }
            }
        }
    }
}

func swipe(cards: Int, history: Int) -> Measurement {
    let session = begin(cards: cards, history: history)
    var copy = session
    return measure(steps: 5_000) { index in
        if index % 500 == 0 { copy = session }
        let time = copy.now + 1000
        guard let outcome = try? copy.apply(.swipe(.right), at: time) else { return }
        sink &+= outcome.notifications.count
    }
}

func row(_ name: String, _ measured: Measurement) {
    func pad(_ text: String, _ width: Int, right: Bool = true) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return right ? space + text : text + space
    }
    let time = String((measured.nanoseconds * 10).rounded() / 10)
    let allocations = String((measured.allocations * 100).rounded() / 100)
    print(pad(name, 52, right: false), pad(time, 10), pad(allocations, 12))
}

print("                                                       ns each  allocations")
row("drag step, 10 cards", dragStep(cards: 10, withFrame: false))
row("drag step and frame of three cards, 10 cards", dragStep(cards: 10, withFrame: true))
row("drag step and frame, 1,000,000 cards", dragStep(cards: 1_000_000, withFrame: true))
row("drag step and frame, 1,000 swipes before", dragStep(cards: 1_000_000, history: 1000, withFrame: true))
row("swipe by call, 100,000 cards", swipe(cards: 100_000, history: 0))
row("swipe by call, 1,000 swipes before", swipe(cards: 100_000, history: 1000))
