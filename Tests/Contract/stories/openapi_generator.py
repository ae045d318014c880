"""The story of a deck, played with the client that openapi-generator makes for Python.

usage: openapi_generator.py URL
"""

import sys

import deckd_client as deckd

DECK = "story-openapi-generator"


def event(value):
    return deckd.EventBody(deckd.Event(value))


def main(url):
    client = deckd.ApiClient(deckd.Configuration(host=url))
    decks, sessions, events = deckd.DecksApi(client), deckd.SessionsApi(client), deckd.EventsApi(client)
    frames, feed = deckd.FramesApi(client), deckd.FeedApi(client)
    cards = [deckd.Card(id=name, label=name.title(), data={"tags": [name]}) for name in ("lviv", "porto", "kyoto")]
    layout = deckd.Layout(deckd.StackLayout(visible_count=2))
    decks.put_deck(DECK, deckd.Deck(cards=cards, layout=layout))
    deck = decks.get_deck(DECK)
    assert isinstance(deck.layout.actual_instance, deckd.WholeStackLayout) and deck.layout.actual_instance.visible_count == 2
    assert deck.cards[0].label == "Lviv" and deck.motion.reset_spring.speed == 20

    request = deckd.SessionRequest(deck=deckd.DeckSource(DECK), viewport=deckd.Size(width=300, height=400))
    session = sessions.create_session(request)
    assert session.frame.cards[0].role is deckd.CardRole.FRONT
    drag = deckd.DragEvent(type="drag", phase=deckd.Phase.CHANGED, translation=deckd.Vector(x=40, y=6))
    answer = events.send_events(session.id, event(drag))
    assert answer.frame.drag.outcome == "reset" and answer.frame.drag.reason is deckd.ResetReason.BelowThreshold
    swipe = deckd.SwipeEvent(type="swipe", direction=deckd.Direction.RIGHT, id="lviv")
    refused = deckd.SwipeEvent(type="swipe", direction=deckd.Direction.UP)
    batch = deckd.Batch(events=[deckd.Event(swipe), deckd.Event(refused)])
    answer = events.send_events(session.id, deckd.EventBody(batch))
    assert answer.results[0].outcome is deckd.Outcome.SWIPED and not answer.results[1].applied
    assert answer.results[1].reason is deckd.Reason.DirectionNotAllowed
    # A repetition is not applied again, and the revert is the second change.
    revert = event(deckd.RevertEvent(type="revert", direction=deckd.RevertDirection.ORIGIN))
    for _ in range(2):
        answer = events.send_events(session.id, revert, idempotency_key='"revert"')
        assert answer.results[0].applied
    events.send_events(session.id, event(swipe))
    include = [deckd.FrameAddition.DATA, deckd.FrameAddition.LABELS]
    frame = frames.get_frame(session.id, since=0, include=include)
    assert frame.cards[0].id == "porto" and frame.cards[0].data == {"tags": ["porto"]}
    assert any(isinstance(note.actual_instance, deckd.CardNotification) for note in frame.notifications)
    assert isinstance(frame.accessibility.actions[0].event.actual_instance, deckd.SwipeEvent)
    # It accepts and reads only JSON, whatever the document says; docs/api.md says so.
    picture = frames.get_picture_without_preload_content(session.id, _headers={"Accept": "image/svg+xml"})
    assert picture.data.startswith(b"<svg")

    motion = deckd.MotionPatch(resetSpring=None, snapSpring=deckd.SpringPatch(speed=9))
    changed = sessions.change_session(session.id, deckd.SessionPatch(motion=motion))
    assert changed.motion.reset_spring is None and changed.motion.snap_spring.speed == 9
    verdicts = sessions.get_verdicts(session.id).verdicts
    assert [(verdict.id, verdict.direction) for verdict in verdicts] == [("lviv", deckd.Direction.RIGHT)]
    rows, after = [], "0"
    while (page := feed.get_verdict_feed(deck=DECK, after=after, limit=1)).verdicts:
        rows, after = rows + page.verdicts, page.cursor
    assert [row.type for row in rows if row.session == session.id] == ["verdict", "reverted", "verdict"]

    try:
        decks.put_deck(DECK, deckd.Deck(count=1, rules=deckd.Rules(sectors=[deckd.Sector(direction="up", var_from=2, to=1)])))
        raise AssertionError("a sector that ends before it starts was accepted")
    except deckd.ApiException as error:
        problem = error.data
    assert isinstance(problem, deckd.Problem) and problem.type is deckd.ProblemType.OutOfRange
    assert problem.status == 422 and problem.errors[0].pointer == "/rules/sectors/0/to"
    try:
        events.send_events(session.id, event(swipe), if_match='"99999"')
        raise AssertionError("another version was accepted")
    except deckd.ApiException as error:
        assert error.status == 412 and error.data.frame.current_index == 1
    sessions.end_session(session.id)
    try:
        sessions.get_session(session.id)
        raise AssertionError("the session has not ended")
    except deckd.ApiException as error:
        assert error.data.type is deckd.ProblemType.SessionEnded
    decks.delete_deck(DECK)


if __name__ == "__main__":
    main(sys.argv[1])
