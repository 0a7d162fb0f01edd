import { firstFault } from './first-json-fault.ts';

const newline = 0x0a;

/**
 * Describes the first mistake of a JSON text and its place: "unexpected `}` at line 3, column 7". Lines and columns
 * count from 1, columns in characters. Returns undefined for valid JSON.
 */
export async function jsonFault(bytes: Buffer): Promise<string | undefined> {
  const at = await firstFault(bytes);
  if (at === undefined) return undefined;
  const what = at >= bytes.length ? 'the text ends too soon,' : `unexpected ${shown(bytes, at)}`;
  return `${what} at ${placeOf(bytes, at)}`;
}

function placeOf(bytes: Buffer, at: number): string {
  let line = 1;
  let lineStart = 0;
  for (let end = bytes.indexOf(newline); end !== -1 && end < at; end = bytes.indexOf(newline, lineStart)) {
    line++;
    lineStart = end + 1;
  }
  return `line ${line}, column ${bytes.toString('utf8', lineStart, at).length + 1}`;
}

/** Formats the character at a byte for a message: an invisible one by its number. */
function shown(bytes: Buffer, at: number): string {
  const [character = ''] = bytes.toString('utf8', at, at + 4);
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return character === '`' ? "'`'" : `\`${character}\``;
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
