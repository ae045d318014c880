"""Times on a machine that does other things, too."""


def least(attempt, limit, count=8):
    """The least time of some attempts; the first one below the limit ends them.

    A busy machine delays one attempt or another. What a program costs, it costs in every attempt.
    """
    best = attempt()
    for _ in range(count - 1):
        if best < limit:
            break
        best = min(best, attempt())
    return best
