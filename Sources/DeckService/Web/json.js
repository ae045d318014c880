// JSON as a person reads it.

/** A value as JSON, with each short list and object on one line. */
export function formatted(value) {
  const text = JSON.stringify(value, null, 2);
  return text.replace(/([[{])\s+([^[\]{}]{0,200}?)\s+([\]}])/g, (_, open, inner, close) => open + inner.replace(/\s+/g, " ") + close);
}
