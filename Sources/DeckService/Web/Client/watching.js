// The ways in which frames arrive. A part of /deckd.js, after saved.js.

const INCLUDE = "labels,data";

/** The frames of a session with the notifications before them, each as an answer to a request. */
async function* polledFrames(ask, since, { delivery, interval, signal }) {
  const isLong = delivery === "longpoll";
  for (let tag = null; ; ) {
    const headers = tag ? { "If-None-Match": tag, Prefer: `wait=${isLong ? 10 : 0}` } : {};
    const query = { include: INCLUDE, since: since() };
    const answer = await ask("/frame", { query, headers, signal });
    yield [answer.body, answer.body?.notifications];
    tag = answer.headers.get("ETag");
    if (!isLong || !tag) await new Promise((resolve) => setTimeout(resolve, interval));
  }
}

/** The frames and the notifications of a session as Server-Sent Events. */
async function* streamedFrames(ask, since, signal) {
  const silence = new AbortController();
  const { body } = await ask("/stream", {
    query: { include: INCLUDE, since: since() }, signal: AbortSignal.any([signal, silence.signal]), timeout: 864e5,
  });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    // The server says something every 15 seconds, or the connection is dead.
    const alarm = setTimeout(() => silence.abort(), 35000);
    const { value, done } = await reader.read().finally(() => clearTimeout(alarm));
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const { event, data } = Object.fromEntries(block.split("\n").map((line) => line.split(/: ([^]*)/)));
      if (event === "frame") yield [JSON.parse(data)];
      if (event === "notification") yield [null, [JSON.parse(data)]];
      // The answer says whether the session has ended.
      if (event === "end" && JSON.parse(data).reason === "session-gone") await ask("", { signal });
    }
  }
}
