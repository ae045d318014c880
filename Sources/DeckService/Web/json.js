// JSON as a person reads it.

const LONGEST_LINE = 120;
const isNested = (value) => typeof value === "object" && value !== null;

/** A value as JSON. A list or an object without others in it is on one line, if that is short. */
export function formatted(value, indent = "") {
  if (!isNested(value)) return JSON.stringify(value);
  // JSON has no undefined members.
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const texts = members.map(([name, member]) => (isList ? "" : `${JSON.stringify(name)}: `) + formatted(member, inner));
  const [open, close] = isList ? "[]" : "{}";
  const line = open + texts.join(", ") + close;
  if (line.length <= LONGEST_LINE && !members.some(([, member]) => isNested(member))) return line;
  return `${open}\n${texts.map((text) => inner + text).join(",\n")}\n${indent}${close}`;
}
