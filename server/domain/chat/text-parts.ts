/** One part of a text. A text has exactly the tokens of its parts. */
export interface TextPart {
  readonly text: string;
  /** A single unbroken run of more than {@link shortPart} characters. */
  readonly isLong: boolean;
}

/** Tokenizers are quadratic on unbroken runs, so every part that is not long has at most this many characters. */
export const shortPart = 256;

/**
 * Up to the last place where a letter is followed by none, or a digit by none. The vocabulary's own expression never
 * matches over such a place, and none of its looks ahead reaches over it: all of those are about blanks.
 */
const upToBorder = /^[^]*(?:\p{L}(?=\P{L})|\p{N}(?=\P{N}))/u;

/**
 * Cuts a text where the tokenizer cuts it anyway, so that counting the parts counts nothing twice.
 *
 * @param pieceExpression with which the tokenizer splits a text before it merges bytes; global
 */
export function* textParts(text: string, pieceExpression: RegExp): Generator<TextPart, void> {
  const pieces = new RegExp(pieceExpression);
  for (let start = 0; start < text.length;) {
    const end =
      text.length - start <= shortPart ? text.length : (borderBehind(text, start) ?? pieceEnd(text, start, pieces));
    yield { text: text.slice(start, end), isLong: end - start > shortPart };
    start = end;
  }
}

function borderBehind(text: string, start: number): number | undefined {
  // Half of a letter at the end would look like something else.
  const end = start + shortPart + (isHighSurrogate(text, start + shortPart - 1) ? -1 : 0);
  const border = upToBorder.exec(text.slice(start, end))?.[0].length;
  return border === undefined ? undefined : start + border;
}

/**
 * Behind one piece, or several short ones: the last of them ends in no blank, so what follows is not needed to split
 * them.
 */
function pieceEnd(text: string, start: number, pieces: RegExp): number {
  pieces.lastIndex = start;
  const first = start + (pieces.exec(text)?.[0].length ?? text.length - start);
  let end = first;
  for (let at = first; at - start <= shortPart; at = pieces.lastIndex) {
    if (/\S/u.test(text[at - 1]!)) end = at;
    if (!pieces.test(text)) break;
  }
  return end;
}

function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}
