/**
 * Returns how many letters have to be changed, added, left out or exchanged with the next one to make one word of
 * another.
 *
 * @param most where to stop: any larger distance is returned as `most + 1`
 */
export function distance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return most + 1;
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let at = 1; at <= to.length; at += 1) {
      const isSame = from[row - 1] === to[at - 1];
      const isExchanged = row > 1 && at > 1 && from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      line.push(
        Math.min(
          above[at]! + 1,
          line[at - 1]! + 1,
          above[at - 1]! + (isSame ? 0 : 1),
          isExchanged ? before[at - 2]! + 1 : Infinity,
        ),
      );
    }
    [before, above] = [above, line];
  }
  return Math.min(above[to.length]!, most + 1);
}

/** Returns the word that somebody began to type or mistyped, if there is one: the nearest, and of these the first. */
export function meant(word: string, words: Iterable<string>): string | undefined {
  if (word.length < 4) return undefined;
  const most = word.length < 7 ? 1 : 2;
  let nearest: string | undefined;
  let least = most + 1;
  for (const one of words) {
    if (one.startsWith(word)) return one;
    const far = distance(word, one, most);
    if (far < least) [nearest, least] = [one, far];
  }
  return nearest;
}
