"""What schemathesis has to know of deckd beyond docs/openapi.yaml."""

import atexit
import json
import os
import re
from collections import Counter

import schemathesis

from living import Living

# Refusals that depend on more than one value, or on what the session is, which a schema cannot say. Each is one sentence
# of a problem's `detail`; any other refusal of a request that fits the document is a defect of one of the two.
DEPENDENT_REFUSALS = [
    # Of the deck or the session
    r"^/startIndex must be at most the number of cards, \d+\.$",
    r"/viewport/(width|height) must be more than [-0-9.e+]+, or the front card has no (width|height)\.$",
    r"^/deck names no deck that there is\.$",
    r"^(/events/\d+)?/at is missing: the session's clock is manual\.$",
    r"^The parameter at is for manual clocks and for sessions that record; this one is neither\.$",
    r"^The moment lies after now, and the session's clock runs by itself\.$",
    r"^The parameter (from|to) must be a whole number from \d+ to \d+\.$",
    r"^The parameters from and to are at most 1000 apart\.$",
    r"^The deck has no card of that index; it has \d+\.$",
    r"^The session does not record; it was not begun with record\.$",
    # Of another value
    r"/cards/\d+/id is the id of another card too\.$",
    r"/to must be more than from, which is \d+\.$",
    r"^The parameters from and to are both needed, and from is not after to\.$",
    r"^There are at most 600 frames from from to to at fps\.$",
    r"^The key .* came with another request before\.$",
    # Of the length in bytes, where a schema counts characters
    r"/label must be at most 1024 bytes long, not \d+\.$",
    r"/data must be at most 16384 bytes long\.$",
]
PATTERN = re.compile("|".join(f"(?:{text})" for text in DEPENDENT_REFUSALS), re.DOTALL)

answers = Counter()
living = Living()


def detail(response):
    try:
        return response.json()["detail"]
    except (ValueError, KeyError, TypeError):
        return ""


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Keeps every failure but a refusal that is for something which the document cannot say."""
    if type(failure).__name__ in ("RejectedPositiveData", "EnsureResourceAvailability"):
        return not PATTERN.search(detail(response))
    return True


@schemathesis.hook
def before_call(context, case, kwargs):
    living.lead(case)


@schemathesis.hook
def after_call(context, case, response):
    """Counts, so that `reach.py` can tell whether the requests have come anywhere."""
    living.note(case, response)
    operation = case.operation.definition.raw.get("operationId", case.operation.label)
    if case.method.upper() == case.operation.method.upper():
        answers[f"{operation} {response.status_code}"] += 1


@atexit.register
def write_answers():
    path = os.environ.get("DECKD_CONTRACT_ANSWERS")
    if path and answers:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(answers, file, indent=2, sort_keys=True)
