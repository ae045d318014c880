"""The story of a deck, played with the models that datamodel-codegen makes, and with requests.

usage: datamodel_codegen.py URL
"""

import sys

import deckd_models as deckd
import requests

DECK = "story-datamodel-codegen"


def main(url):
    def call(method, path, answer=None, body=None, **options):
        """Sends a model, and reads the answer as a model."""
        data = None if body is None else body.model_dump_json(by_alias=True, exclude_unset=True)
        headers = {"Content-Type": "application/json"} | options.pop("headers", {})
        response = requests.request(method, url + path, data=data, headers=headers, timeout=20, **options)
        if response.status_code >= 400:
            return deckd.Problem.model_validate_json(response.content)
        return answer.model_validate_json(response.content) if answer else response

    cards = [deckd.Card(id=name, label=name.title(), data={"tags": [name]}) for name in ("lviv", "porto", "kyoto")]
    layout = deckd.StackLayout(visibleCount=2)
    call("PUT", f"/v1/decks/{DECK}", deckd.DeckSummary, deckd.Deck(cards=cards, layout=layout))
    deck = call("GET", f"/v1/decks/{DECK}", deckd.WholeDeck)
    assert isinstance(deck.layout, deckd.WholeStackLayout) and deck.layout.visibleCount == 2
    assert deck.cards[0].label == "Lviv" and deck.motion.resetSpring.speed == 20

    request = deckd.SessionRequest(deck=DECK, viewport=deckd.Size(width=300, height=400))
    session = call("POST", "/v1/sessions", deckd.NewSession, request)
    path = f"/v1/sessions/{session.id}"
    assert session.frame.cards[0].role is deckd.CardRole.front
    translation = deckd.Vector(x=40, y=6)
    drag = deckd.DragEvent(type="drag", phase=deckd.Phase.changed, translation=translation)
    answer = call("POST", f"{path}/events", deckd.EventAnswer, drag)
    assert answer.frame.drag.outcome is deckd.ReleaseOutcome.reset
    assert answer.frame.drag.reason is deckd.ResetReason.BelowThreshold
    swipe = deckd.SwipeEvent(type="swipe", direction=deckd.Direction.right, id="lviv")
    refused = deckd.SwipeEvent(type="swipe", direction=deckd.Direction.up)
    answer = call("POST", f"{path}/events", deckd.EventAnswer, deckd.Batch(events=[swipe, refused]))
    assert answer.results[0].outcome is deckd.Outcome.swiped and not answer.results[1].applied
    assert answer.results[1].reason is deckd.Reason.DirectionNotAllowed
    # A repetition is not applied again, and the revert is the second change.
    revert = deckd.RevertEvent(type="revert", direction=deckd.RevertDirection.origin)
    for _ in range(2):
        key = {"Idempotency-Key": '"revert"'}
        assert call("POST", f"{path}/events", deckd.EventAnswer, revert, headers=key).results[0].applied
    call("POST", f"{path}/events", deckd.EventAnswer, swipe)
    frame = call("GET", f"{path}/frame?since=0&include=data,labels", deckd.FrameView)
    assert frame.cards[0].id == "porto" and frame.cards[0].data == {"tags": ["porto"]}
    assert any(isinstance(note, deckd.CardNotification) for note in frame.notifications)
    assert isinstance(frame.accessibility.actions[0].event, deckd.SwipeEvent)

    motion = deckd.MotionPatch(resetSpring=None, snapSpring=deckd.SpringPatch(speed=9))
    changed = call("PATCH", path, deckd.Session, deckd.SessionPatch(motion=motion))
    assert changed.motion.resetSpring is None and changed.motion.snapSpring.speed == 9
    verdicts = call("GET", f"{path}/verdicts", deckd.VerdictPage).verdicts
    assert [(verdict.id, verdict.direction) for verdict in verdicts] == [("lviv", deckd.Direction.right)]
    rows, after = [], "0"
    while (page := call("GET", f"/v1/verdicts?deck={DECK}&after={after}&limit=1", deckd.VerdictFeedPage)).verdicts:
        rows, after = rows + page.verdicts, page.cursor
    assert [row.type.value for row in rows if row.session == session.id] == ["verdict", "reverted", "verdict"]

    sector = deckd.Sector.model_validate({"direction": "up", "from": 2, "to": 1})
    problem = call("PUT", f"/v1/decks/{DECK}", None, deckd.Deck(count=1, rules=deckd.Rules(sectors=[sector])))
    assert isinstance(problem, deckd.Problem) and problem.type is deckd.ProblemType.OutOfRange
    assert problem.status == 422 and problem.errors[0].pointer == "/rules/sectors/0/to"
    stale = call("POST", f"{path}/events", None, swipe, headers={"If-Match": '"99999"'})
    assert stale.frame.currentIndex == 1
    assert call("DELETE", path).status_code == 204
    assert call("GET", path).type is deckd.ProblemType.SessionEnded
    assert call("DELETE", f"/v1/decks/{DECK}").status_code == 204


if __name__ == "__main__":
    main(sys.argv[1])
