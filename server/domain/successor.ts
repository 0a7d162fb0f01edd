/** Returns the first text, in byte order of UTF-8, behind all that begin with this one. Undefined if there is none. */
export function successor(text: string): string | undefined {
  const points = [...text].map((character) => character.codePointAt(0)!);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // Surrogates are not characters of their own.
  points.push(last === 0xd7ff ? 0xe000 : last + 1);
  return String.fromCodePoint(...points);
}
