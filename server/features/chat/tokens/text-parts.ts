/** One part of a text. A text has exactly the tokens of its parts. */
interface TextPart {
  readonly text: string;
  /** A single unbroken run of more than {@link shortPart} characters. */
  readonly isLong: boolean;
}

/** The most characters of a part that is not long. Tokenizers are quadratic on unbroken runs. */
export const shortPart = 256;

/**
 * Matches up to the last place where a letter is followed by a non-letter, or a digit by a non-digit. The vocabulary's
 * own expression never matches across such a place. Its look-aheads do not cross it either: they only look for blanks.
 */
const upToBorder = /^[^]*(?:\p{L}(?=\P{L})|\p{N}(?=\P{N}))/u;

/**
 * Cuts a text only where the tokenizer would cut it too, so that the counts of the parts add up.
 *
 * @param pieceExpression splits a text before bytes are merged. Global
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
  // A surrogate pair is not cut, because half of a letter does not count as a letter.
  const end = start + shortPart + (isHighSurrogate(text, start + shortPart - 1) ? -1 : 0);
  const border = upToBorder.exec(text.slice(start, end))?.[0].length;
  return border === undefined ? undefined : start + border;
}

/**
 * Returns the end of one piece, or of several short ones. The last of them does not end in a blank, so the text after
 * it does not change how they are split.
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
