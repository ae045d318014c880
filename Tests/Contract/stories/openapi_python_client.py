"""The story of a deck, played with the client that openapi-python-client makes.

usage: openapi_python_client.py URL
"""

import sys

from deckd_client import Client
from deckd_client.api.decks import delete_deck, get_deck, put_deck
from deckd_client.api.events import send_events
from deckd_client.api.feed import get_verdict_feed
from deckd_client.api.frames import get_frame, get_picture
from deckd_client.api.sessions import change_session, create_session, end_session, get_session, get_verdicts
from deckd_client.models import (
    Batch, Card, CardRole, Deck, Direction, DirectionNotification, DragEvent, FrameAddition, FrameView, MotionPatch,
    NewSession, Outcome, Phase, Problem, ProblemType, Reason, RevertDirection, RevertEvent, SessionPatch, SessionRequest,
    Size, SpringPatch, StackLayout, SwipeEvent, Vector, WholeStackLayout,
)

DECK = "story-openapi-python-client"


def main(url):
    client = Client(base_url=url, raise_on_unexpected_status=True)
    cards = [Card(id=name, label=name.title(), data={"tags": [name]}) for name in ("lviv", "porto", "kyoto")]
    put_deck.sync(DECK, client=client, body=Deck(cards=cards, layout=StackLayout(visible_count=2)))
    deck = get_deck.sync(DECK, client=client)
    assert isinstance(deck.layout, WholeStackLayout) and deck.layout.visible_count == 2
    assert deck.cards[0].label == "Lviv" and deck.motion.reset_spring.speed == 20

    session = create_session.sync(client=client, body=SessionRequest(deck=DECK, viewport=Size(width=300, height=400)))
    assert isinstance(session, NewSession) and session.frame.cards[0].role is CardRole.FRONT
    drag = DragEvent(type_="drag", phase=Phase.CHANGED, translation=Vector(x=40, y=6))
    answer = send_events.sync(session.id, client=client, body=drag)
    assert answer.frame.drag.outcome == "reset" and answer.frame.drag.reason == "below-threshold"
    swipe = SwipeEvent(type_="swipe", direction=Direction.RIGHT, id="lviv")
    refused = SwipeEvent(type_="swipe", direction=Direction.UP)
    answer = send_events.sync(session.id, client=client, body=Batch(events=[swipe, refused]))
    assert answer.results[0].outcome is Outcome.SWIPED and not answer.results[1].applied
    assert answer.results[1].reason is Reason.DIRECTION_NOT_ALLOWED
    # A repetition is not applied again, and the revert is the second change.
    revert = RevertEvent(type_="revert", direction=RevertDirection.ORIGIN)
    for _ in range(2):
        answer = send_events.sync(session.id, client=client, body=revert, idempotency_key='"revert"')
        assert answer.results[0].applied
    send_events.sync(session.id, client=client, body=swipe)
    frame = get_frame.sync(session.id, client=client, since=0, include=[FrameAddition.DATA])
    assert isinstance(frame, FrameView) and frame.cards[0].id == "porto" and frame.cards[0].data == {"tags": ["porto"]}
    assert any(isinstance(note, DirectionNotification) or note.type_ == "panBegan" for note in frame.notifications)
    labelled = get_frame.sync(session.id, client=client, include=[FrameAddition.LABELS])
    assert labelled.accessibility.actions[0].event.type_ == "swipe"
    # It sends a list as repeated parameters, whatever the document says, so a list can have one item; docs/api.md says so.
    repeated = get_frame.sync(session.id, client=client, include=[FrameAddition.DATA, FrameAddition.LABELS])
    assert repeated.type_ is ProblemType.MALFORMED_QUERY
    assert get_picture.sync(session.id, client=client).startswith("<svg")

    changed = change_session.sync(
        session.id, client=client, body=SessionPatch(motion=MotionPatch(reset_spring=None, snap_spring=SpringPatch(speed=9)))
    )
    assert changed.motion.reset_spring is None and changed.motion.snap_spring.speed == 9
    verdicts = get_verdicts.sync(session.id, client=client).verdicts
    assert [(verdict.id, verdict.direction) for verdict in verdicts] == [("lviv", Direction.RIGHT)]
    rows, after = [], "0"
    while page := get_verdict_feed.sync(client=client, deck=DECK, after=after, limit=1):
        if not page.verdicts:
            break
        rows, after = rows + page.verdicts, page.cursor
    assert [row.type_ for row in rows if row.session == session.id] == ["verdict", "reverted", "verdict"]

    problem = put_deck.sync(DECK, client=client, body=Deck(count=-1))
    assert isinstance(problem, Problem) and problem.type_ is ProblemType.OUT_OF_RANGE
    assert problem.status == 422 and problem.errors[0].pointer == "/count"
    stale = send_events.sync(session.id, client=client, body=swipe, if_match='"99999"')
    assert isinstance(stale, Problem) and stale.frame.current_index == 1
    assert end_session.sync_detailed(session.id, client=client).status_code == 204
    assert get_session.sync(session.id, client=client).type_ is ProblemType.SESSION_ENDED
    assert delete_deck.sync_detailed(DECK, client=client).status_code == 204


if __name__ == "__main__":
    main(sys.argv[1])
