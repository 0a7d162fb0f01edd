import { firstFault } from './pick-json.ts';

const newline = 0x0a;

/**
 * What keeps a text from being JSON, and where: "unexpected `}` at line 3, column 7". Lines and columns count from 1,
 * columns in characters. Undefined when the text is JSON.
 */
export async function jsonFault(bytes: Buffer): Promise<string | undefined> {
  const at = await firstFault(bytes);
  if (at === undefined) return undefined;
  const place = placeOf(bytes, at);
  return at >= bytes.length ? `the text ends too soon, at ${place}` : `unexpected ${shown(bytes, at)} at ${place}`;
}

function placeOf(bytes: Buffer, at: number): string {
  let line = 1;
  let lineStart = 0;
  for (let index = 0; index < at; index++) {
    if (bytes[index] !== newline) continue;
    line++;
    lineStart = index + 1;
  }
  const column = bytes.subarray(lineStart, at).toString('utf8').length + 1;
  return `line ${line}, column ${column}`;
}

/** The character at a byte, as it may stand in a message: what cannot be seen by its number. */
function shown(bytes: Buffer, at: number): string {
  const [character = ''] = bytes.toString('utf8', at, at + 4);
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return character === '`' ? "'`'" : `\`${character}\``;
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
