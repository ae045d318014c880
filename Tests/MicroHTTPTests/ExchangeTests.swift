import SteadyClock
import Testing

@testable import MicroHTTP

struct ExchangeTests {
    private let answer = Answer.whole(.text(200, "first"))
    private let other = Answer.whole(.text(200, "second"))

    @Test func anAnswerWithinTheCallIsQueuedWhenItReturns() {
        var state = ExchangeState.handling
        #expect(state.answer(answer) == .leave)
        #expect(state.answer(other) == .ignore)
        #expect(!state.isOpen)
        #expect(state.settle() == .queue(answer))
        #expect(state.settle() == .drop)
        #expect(state.answer(other) == .ignore)
    }

    @Test func nothingFollowsAResponseThatTheCallReturns() {
        var state = ExchangeState.handling
        #expect(state.close() == true)
        #expect(!state.isOpen)
        #expect(state.answer(other) == .ignore)
        #expect(state.enter() == false)
        #expect(state.settle() == .drop)
    }

    @Test func anAnswerBeforeTheReturnIsTheFirst() {
        var state = ExchangeState.handling
        #expect(state.answer(answer) == .leave)
        #expect(state.close() == false)
        #expect(state.settle() == .queue(answer))
    }

    @Test func anAnswerAfterTheCallResumes() {
        var state = ExchangeState.handling
        #expect(state.settle() == .suspend)
        #expect(state.isOpen)
        #expect(state.answer(answer) == .resume)
        #expect(state.answer(other) == .ignore)
        #expect(state.settle() == .queue(answer))
    }

    @Test func aResumeWithoutAnAnswerSuspendsAgain() {
        var state = ExchangeState.handling
        #expect(state.settle() == .suspend)
        #expect(state.settle() == .suspend)
        #expect(state.answer(answer) == .resume)
    }

    @Test func anAnswerWithinAnActionIsFoundWhenItReturns() {
        var state = ExchangeState.handling
        #expect(state.settle() == .suspend)
        #expect(state.enter() == true)
        #expect(state.answer(answer) == .leave)
        #expect(state.answer(other) == .ignore)
        #expect(state.leave() == true)
        #expect(state.enter() == false)
        #expect(state.settle() == .queue(answer))
    }

    @Test func anActionMayLeaveARequestWaiting() {
        var state = ExchangeState.handling
        #expect(state.settle() == .suspend)
        #expect(state.enter() == true)
        #expect(state.leave() == false)
        #expect(state.answer(answer) == .resume)
        // The resumption is in progress.
        #expect(state.enter() == false)
    }

    @Test func noActionRunsForAClientThatHasGone() {
        var state = ExchangeState.handling
        #expect(state.settle() == .suspend)
        #expect(state.enter() == true)
        #expect(state.end() == nil)
        #expect(state.leave() == false)
        #expect(state.enter() == false)
    }

    @Test func nothingFollowsTheEnd() {
        var state = ExchangeState.handling
        #expect(state.end() == nil)
        #expect(!state.isOpen)
        #expect(state.answer(answer) == .ignore)
        #expect(state.settle() == .drop)
        #expect(state.end() == nil)
    }

    @Test func theEndHandsBackAnAnswerThatWasNotQueued() {
        var state = ExchangeState.handling
        #expect(state.settle() == .suspend)
        #expect(state.answer(answer) == .resume)
        #expect(state.end() == answer)
        #expect(state.end() == nil)
        var queued = ExchangeState.handling
        #expect(queued.answer(answer) == .leave)
        #expect(queued.settle() == .queue(answer))
        #expect(queued.end() == nil)
    }

    @Test func alarmsComeInTheOrderOfTheirTimes() throws {
        let exchange = Exchange(mailbox: try Mailbox())
        let start = SteadyTime(nanoseconds: 0)
        let order = Watched<[Int]>([])
        var alarms = Alarms()
        for (number, milliseconds) in [30, 10, 20, 10].enumerated() {
            let due = start + .milliseconds(milliseconds)
            alarms.add(Alarm(due: due, call: .exchange(exchange) { _ in order.change { $0.append(number) } }))
        }
        #expect(alarms.popDue(at: start + .microseconds(9_999))?.due == nil)
        while let alarm = alarms.popDue(at: start + .milliseconds(20)) {
            guard case .exchange(_, let action) = alarm.call else { continue }
            action(exchange)
        }
        #expect(order.read() == [1, 3, 2])
        #expect(alarms.nextDue == start + .milliseconds(30))
    }

    @Test func alarmsOfFinishedExchangesAreSweptOut() throws {
        let mailbox = try Mailbox()
        let open = Exchange(mailbox: mailbox)
        var alarms = Alarms()
        alarms.add(Alarm(due: .now() + .seconds(60), call: .exchange(open) { _ in }))
        for _ in 0..<20_000 {
            let exchange = Exchange(mailbox: mailbox)
            _ = exchange.end()
            alarms.add(Alarm(due: .now() + .seconds(3_600), call: .exchange(exchange) { _ in }))
        }
        #expect(alarms.count <= 1_024)
        #expect(alarms.popDue(at: .now() + .seconds(60))?.isStale == false)
    }

    @Test func waitsAreRoundedUpAndNeverOverflow() {
        let start = SteadyTime(nanoseconds: 1_000)
        #expect((start + .nanoseconds(1)).milliseconds(from: start) == 1)
        #expect((start + .milliseconds(5)).milliseconds(from: start) == 5)
        #expect((start + .seconds(-5)).milliseconds(from: start) == 0)
        #expect(start + .seconds(Int64.max) == start + .seconds(10 * 365 * 86_400))
    }
}
