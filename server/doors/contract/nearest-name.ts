/** Longer names are compared by their beginning. */
const maxComparedCharacters = 64;

/**
 * Returns the known name that a mistyped one was probably meant to be. Upper case and separators do not count, so
 * `maxSize` is `max_size`. Undefined if nothing is known.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = bare(name);
  return known.map((one) => ({ one, edits: editsBetween(wanted, bare(one)) })).toSorted((a, b) => a.edits - b.edits)[0]
    ?.one;
}

function bare(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, maxComparedCharacters);
}

/** Returns how many characters must be added, removed or replaced to make one text of the other (Levenshtein). */
function editsBetween(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of [...from].entries()) {
    const row = [index + 1];
    for (let at = 1; at <= to.length; at++)
      row.push(Math.min(above[at]! + 1, row[at - 1]! + 1, above[at - 1]! + (to[at - 1] === character ? 0 : 1)));
    above = row;
  }
  return above.at(-1)!;
}
