import DeckEngine
import DeckJournal
import DeckWire
import JournalTesting
import Locking
import Testing

@testable import DeckHost

/// A database that counts a new generation, as after a failover that has lost commits.
private final class RestoredJournal: ForwardingJournal {
    let inner: any Journal = MemoryJournal()

    func load(_ id: String, completion: @escaping JournalCompletion<SessionFinding>) {
        inner.load(id) { result in
            completion(
                result.map { finding in
                    guard case .session(var stored) = finding else { return finding }
                    stored.generation = stored.revision.generation + 1
                    return .session(stored)
                }
            )
        }
    }
}

/// Requests to a host that shows what another host has not committed. The hosts hear of previews at once, and of commits never.
struct PreviewTests {
    private let journals: (NewsJournal, NewsJournal)
    private let here: SessionTable
    private let there: SessionTable

    init() {
        let memory = MemoryJournal()
        journals = (NewsJournal(upToDate: memory), NewsJournal(upToDate: memory))
        journals.0.connect(to: journals.1)
        here = SessionTable(journals.0)
        there = SessionTable(journals.1)
    }

    /// Drags a card far enough for a swipe here, and shows the session there.
    private func drag(
        isRecorded: Bool = false,
        clock: String = "manual"
    ) async throws -> (mine: HostedSession, theirs: HostedSession) {
        while true {
            let mine = try await here.create(isRecorded: isRecorded, clock: clock)
            for (x, time) in [(5, 100), (95, 400)] {
                let at = clock == "manual" ? #","at":\#(time)"# : ""
                let text = #"{"type":"drag","phase":"changed","translation":{"x":\#(x),"y":0}\#(at)}"#
                _ = try await here.perform(.event(text), on: mine)
            }
            let theirs = try await there.find(mine.identity.id)
            // On a busy machine the preview can come too late.
            if theirs.previewHeardAt != nil { return (mine, theirs) }
        }
    }

    private func frame(_ session: DeckSession, of id: String) -> String {
        var json = JSONWriter(capacity: 2048)
        FrameWriter(session: id).write(session, at: session.now, to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The frame to which the log of a session leads.
    private func replay(_ session: HostedSession) async throws -> String {
        let log = try #require(try await there.read(session).log)
        let lines = try await host { there.logLines(of: session, log, in: 0..<log.lineCount, $0) }
        var replay = SessionReplay()
        var frame: [UInt8] = []
        for line in lines { frame = try replay.play(line) }
        return String(decoding: frame, as: UTF8.self)
    }

    @Test(arguments: [false, true]) func aDragContinues(isConditional: Bool) async throws {
        let (mine, theirs) = try await drag()
        let shown = try await there.read(theirs).session
        #expect(shown.version == 2)
        var end = try Operation.event(#"{"type":"drag","phase":"ended","at":500}"#)
        if isConditional { end.condition = .oneOf([shown.version]) }
        guard case .applied(let outcome) = try await there.perform(end, on: theirs) else { throw HostError.notFound }
        #expect(outcome.outcomes.map(\.ending) == [.swiped])
        #expect(outcome.session.version > 1024)
        // The first node, which has not heard of it, has lost the session.
        let later = try await here.perform(.event(#"{"type":"revert","at":2000}"#), on: mine)
        guard case .applied(let reverted) = later else { throw HostError.notFound }
        #expect(reverted.outcomes.map(\.isApplied) == [true])
        #expect(reverted.session.version > outcome.session.version)
    }

    /// The committed state there is older than the preview and has another version.
    @Test func aConditionIsMetByWhatIsShown() async throws {
        let (_, theirs) = try await drag()
        var swipe = try Operation.event(#"{"type":"swipe","direction":"left","at":500}"#)
        swipe.condition = .oneOf([try await there.read(theirs).session.version])
        guard case .applied(let outcome) = try await there.perform(swipe, on: theirs) else { throw HostError.notFound }
        let control = try await here.create()
        for text in [
            #"{"type":"drag","phase":"changed","translation":{"x":5,"y":0},"at":100}"#,
            #"{"type":"drag","phase":"changed","translation":{"x":95,"y":0},"at":400}"#,
            #"{"type":"swipe","direction":"left","at":500}"#,
        ] { _ = try await here.perform(.event(text), on: control) }
        let expected = try await here.read(control).session
        #expect(outcome.outcomes.map(\.refusal) == [nil])
        #expect(outcome.session.frame(at: expected.now).cards == expected.frame(at: expected.now).cards)
    }

    @Test func requestsThatChangeNothingLeaveTheDrag() async throws {
        let (mine, theirs) = try await drag()
        let head = mine.head
        let shown = try await there.read(theirs).session
        var dryRun = try Operation.event(#"{"type":"drag","phase":"ended","at":500}"#)
        dryRun.isDryRun = true
        guard case .applied(let outcome) = try await there.perform(dryRun, on: theirs) else { throw HostError.notFound }
        #expect(outcome.outcomes.map(\.ending) == [.swiped])
        #expect(outcome.session.version == shown.version + 1)

        var conditional = try Operation.event(#"{"type":"swipe","direction":"left","at":500}"#)
        conditional.condition = .oneOf([99])
        let early = try Operation.event(#"{"type":"swipe","direction":"left","at":399}"#)
        var players = try Operation.event(#"{"type":"reset","at":500}"#)
        players.isByPlayer = true
        let patch = Operation(.patch(Array(#"{"viewport":{"width":0,"height":100}}"#.utf8)))
        var errors: [HostError] = []
        for operation in [conditional, early, players, patch] {
            let error = await #expect(throws: HostError.self) { try await there.perform(operation, on: theirs) }
            if let error { errors.append(error) }
        }
        #expect(errors.count == 4)
        guard case .preconditionFailed(let current)? = errors.first else { throw HostError.notFound }
        #expect(current.session.version == shown.version)
        #expect(errors.dropFirst().first == .timeRunsBackwards(pointer: "/at", former: shown.now))

        #expect(theirs.previewHeardAt != nil && theirs.mustTakeOver && !theirs.isStale)
        #expect(try await there.read(theirs).session.snapshot(withCards: true) == shown.snapshot(withCards: true))
        #expect(try await host { there.journal.heads(of: [mine.identity.id], $0) } == [mine.identity.id: head])
        // The drag goes to its end where it began.
        let end = try await here.perform(.event(#"{"type":"drag","phase":"ended","at":500}"#), on: mine)
        guard case .applied(let swiped) = end else { throw HostError.notFound }
        #expect(swiped.session.version == shown.version + 1)
    }

    @Test func aRefusedEventLeavesTheDrag() async throws {
        let (mine, theirs) = try await drag(clock: "server")
        let shown = try await there.read(theirs).session.version
        let refused = try await there.perform(.event(#"{"type":"redo"}"#), on: theirs)
        guard case .applied(let outcome) = refused else { throw HostError.notFound }
        #expect(outcome.outcomes.map(\.isApplied) == [false])
        #expect(outcome.session.version == shown)
        #expect(theirs.previewHeardAt != nil && theirs.mustTakeOver && !theirs.isStale)
        let end = try await here.perform(.event(#"{"type":"drag","phase":"ended"}"#), on: mine)
        guard case .applied(let swiped) = end else { throw HostError.notFound }
        #expect(swiped.outcomes.map(\.ending) == [.swiped])
        #expect(swiped.session.version == shown + 1)
    }

    /// A log has refused events, so this one needs an entry.
    @Test func aRefusedEventOfARecordedSessionIsCommitted() async throws {
        let (mine, theirs) = try await drag(isRecorded: true, clock: "server")
        let lines = try await there.read(theirs).log?.lineCount ?? 0
        _ = try await there.perform(.event(#"{"type":"redo"}"#), on: theirs)
        let log = try #require(try await there.read(theirs).log)
        #expect(log.lineCount > lines && log.savedLineCount == log.lineCount)
        #expect(try await host { there.journal.heads(of: [mine.identity.id], $0) } != [mine.identity.id: mine.head])
    }

    /// A queued command takes effect while a later event is applied that needs no commit.
    @Test func aPreviewHasTheCardsOfTheCommittedSession() async throws {
        let mine = try await here.create(rules: #"{"whileAnimating":"queue"}"#)
        for text in [
            #"{"type":"drag","phase":"changed","translation":{"x":5,"y":0},"at":100}"#,
            #"{"type":"drag","phase":"cancelled","at":200}"#,
            #"{"type":"swipe","direction":"left","at":2000}"#,
            #"{"type":"sendToBack","at":2010}"#,
            #"{"type":"drag","phase":"changed","translation":{"x":5,"y":0},"at":4000}"#,
        ] { _ = try await here.perform(.event(text), on: mine) }
        let state = try await here.read(mine).session
        #expect(state.cards.count == 9 && !state.hasUnsavedCards)
        let theirs = try await there.find(mine.identity.id)
        let shown = try await there.read(theirs).session
        #expect(frame(shown, of: "s") == frame(state, of: "s"))
    }

    /// A new generation gives verdicts other numbers, so queued commands take effect where the session continues, and once.
    @Test(arguments: ["swipe", "sendToBack"]) func aPreviewHasTheQueueOfTheCommittedSession(queued: String) async throws
    {
        let database = RestoredJournal()
        let journals = (NewsJournal(upToDate: database.inner), NewsJournal(upToDate: database))
        journals.0.connect(to: journals.1)
        let (here, there) = (SessionTable(journals.0), SessionTable(journals.1))
        let mine = try await here.create(rules: #"{"whileAnimating":"queue"}"#)
        let direction = queued == "swipe" ? #","direction":"left""# : ""
        for text in [
            #"{"type":"swipe","direction":"left","at":1000}"#,
            #"{"type":"\#(queued)"\#(direction),"at":1010}"#,
            #"{"type":"tap","at":1020}"#,
            #"{"type":"tap","at":1030}"#,
        ] { _ = try await here.perform(.event(text), on: mine) }
        let theirs = try await there.find(mine.identity.id)
        let shown = try await there.read(theirs)
        let state = try await here.read(mine)
        #expect(theirs.previewHeardAt != nil)
        #expect(frame(shown.session, of: "s") == frame(state.session, of: "s"))
        #expect(
            shown.notifications.unsaved(after: 0).map(\.sequence)
                == state.notifications.unsaved(after: 0).map(\.sequence)
        )

        _ = try await there.perform(.event(#"{"type":"tick","at":9000}"#), on: theirs)
        _ = try await here.perform(.event(#"{"type":"tick","at":9000}"#), on: mine)
        let (continued, control) = (try await there.read(theirs), try await here.read(mine))
        #expect(continued.session.cards.count == control.session.cards.count)
        let numbers = continued.notifications.unsaved(after: 0).map { $0.sequence ?? 0 }
        #expect(numbers == numbers.sorted() && numbers.count == control.notifications.unsaved(after: 0).count)
    }

    /// A process with a session in whose drag nothing is committed, a process that can load the session, and the journal of a third one,
    /// which can answer its requests for previews.
    private func sessionOfAnother() async throws -> (
        first: SessionTable, session: HostedSession, second: SessionTable, third: NewsJournal
    ) {
        let memory = MemoryJournal()
        let (third, journal) = (NewsJournal(upToDate: memory), NewsJournal(upToDate: memory))
        third.connect(to: journal)
        let (first, second) = (SessionTable(NewsJournal(upToDate: memory)), SessionTable(journal))
        let session = try await first.create()
        _ = try await first.perform(
            .event(#"{"type":"drag","phase":"changed","translation":{"x":5,"y":0},"at":100}"#),
            on: session
        )
        return (first, session, second, third)
    }

    /// As that of a later release.
    @Test func aPreviewThatCannotBeReadCountsAsNone() async throws {
        let (_, mine, second, liar) = try await sessionOfAnother()
        let revision = mine.revision
        liar.follow { [weak liar] news in
            guard case .previewRequested(let id, let request) = news else { return }
            let preview = SessionPreview(revision: revision, state: [1], notifications: [], requests: [request])
            liar?.send(preview, of: id)
        }
        let theirs = try await second.find(mine.identity.id)
        #expect(theirs.previewHeardAt == nil && !theirs.mustTakeOver)
        #expect(theirs.revision > revision)
    }

    /// The database has lost commits of the process that sends it, such as by a restore.
    @Test func aPreviewAfterAnEntryThatIsLostCountsAsNone() async throws {
        let (first, mine, second, stale) = try await sessionOfAnother()
        let state = try await first.read(mine).session.snapshot(withCards: false)
        let lost = Revision(position: mine.revision.position + 1)
        let sent = Lock(0)
        stale.follow { [weak stale] news in
            // More are sent only while the session is loaded again and again.
            guard case .previewRequested(let id, let request) = news,
                sent.withLock({
                    $0 += 1
                    return $0 <= 100
                })
            else { return }
            let preview = SessionPreview(revision: lost, state: state, notifications: [], requests: [request])
            stale?.send(preview, of: id)
        }
        let theirs = try await second.find(mine.identity.id)
        #expect(theirs.previewHeardAt == nil && !theirs.mustTakeOver)
        #expect(second.loadCount == 2)
    }

    @Test func theLogOfADragThatContinuesLeadsToItsEnd() async throws {
        let (_, theirs) = try await drag(isRecorded: true)
        for text in [
            #"{"type":"drag","phase":"changed","translation":{"x":90,"y":2},"at":450}"#,
            #"{"type":"drag","phase":"ended","at":500}"#,
        ] {
            _ = try await there.perform(.event(text), on: theirs)
            let state = try await there.read(theirs)
            #expect(try await replay(theirs) == frame(state.session, of: theirs.identity.id))
        }
        let committed = try await there.read(theirs)
        #expect(committed.session.frame(at: committed.session.now).currentIndex == 1)
        let past = try await host {
            there.past.read(of: theirs, committed, at: [Instant(470)], paying: theirs.payment, $0)
        }
        #expect(past.map { $0.state.session.now } == [Instant(450)])
        #expect(past.map { $0.state.session.frame(at: Instant(450)).dragging } == [true])
    }

    @Test func theLogOfACopyLeadsToWhatWasShown() async throws {
        let (_, theirs) = try await drag(isRecorded: true)
        let shown = try await there.read(theirs).session
        let result = try await host { there.fork(theirs, at: nil, paying: theirs.payment, $0) }
        guard case .created(let copy) = result else { throw HostError.notFound }
        let (session, id) = (copy.session, copy.session.identity.id)
        #expect(copy.engine.snapshot(withCards: true) == shown.snapshot(withCards: true))
        #expect(try await replay(session) == frame(shown, of: id))
        _ = try await there.perform(.event(#"{"type":"drag","phase":"ended","at":500}"#), on: session)
        let end = try await there.read(session).session
        #expect(end.frame(at: end.now).currentIndex == 1)
        #expect(try await replay(session) == frame(end, of: id))
    }
}
