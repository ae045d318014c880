"""What schemathesis has to know of deckd beyond docs/openapi.yaml."""

import atexit
import json
import os
import re
from collections import Counter

import schemathesis

from living import Living

# Refusals that depend on more than one value, or on what the session is, which a schema cannot say; any other refusal of
# a request that fits the document is a defect of one of the two. Programs go by a problem's type, and in a body by the
# pointers: these are what may be wrong with a body.
DEPENDENT_POINTERS = {
    # `at` is missing where the clock is manual.
    "/problems/malformed-request": r"(/events/\d+)?/at",
    "/problems/out-of-range": "|".join(
        [
            # Of the deck or the session
            r"/startIndex",
            r"(/events/\d+)?/viewport/(width|height)",
            r"/deck",
            # Of another value
            r"(/deck|/events/\d+)?/cards/\d+/id",
            r"/(cards|count)",
            r"/cards/[A-Za-z0-9_-]+",
            r"(/events/\d+)?/to",
            r"(/deck)?/rules/sectors/\d+/to",
            r"(/events/\d+)?/toward",
            # Of the length in bytes, where a schema counts characters
            r"(/deck|/events/\d+)?/cards/[A-Za-z0-9_-]+/(label|data)",
        ]
    ),
}
# Where nothing but the sentence says which of several it is.
DEPENDENT_DETAILS = {
    "/problems/malformed-query": "|".join(
        [
            r"A time other than now requires a session with a manual clock or with `record`\.",
            r"The parameter (from|to) must be a whole number from \d+ to \d+\.",
            r"The parameter to may be at most from \+ \d+\.",
            # A cursor has a number for each database.
            r"The parameter after must be a cursor from the feed\.",
            r"The parameter cursor must be copied from a Link header\.",
            r"The parameter (from|to) is required\.",
            r"The parameter from must not be after to\.",
            r"from…to at fps may give at most 600 frames\.",
            r"The response to a dry run has no snapshot\.",
        ]
    ),
    "/problems/not-found": "|".join(
        [
            r"The deck has no card with this index\. It has \d+ cards\.",
            r"The session was created without `record` and has no log\.",
        ]
    ),
    "/problems/idempotency-key-reused": r".*",
    # A body that may be left out needs its type all the same.
    "/problems/unsupported-media-type": r"Without API keys, a POST needs a Content-Type\.",
}

answers = Counter()
living = Living()


def depends(response):
    """Whether a request was refused for something which the document cannot say."""
    try:
        problem = response.json()
        kind, errors = problem["type"], problem.get("errors", [])
    except (ValueError, KeyError, TypeError):
        return False
    pointers = DEPENDENT_POINTERS.get(kind)
    if pointers and errors:
        return all(re.fullmatch(pointers, error["pointer"]) for error in errors)
    details = DEPENDENT_DETAILS.get(kind)
    return details is not None and re.fullmatch(details, problem["detail"], re.DOTALL) is not None


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Keeps every failure but a refusal that is for something which the document cannot say."""
    if type(failure).__name__ in ("RejectedPositiveData", "EnsureResourceAvailability"):
        return not depends(response)
    return True


@schemathesis.hook
def before_call(context, case, kwargs):
    living.lead(case)


@schemathesis.hook
def after_call(context, case, response):
    """Counts, so that `reach.py` can check what the requests have reached."""
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
