/** The bytes that have a meaning in a JSON text. */
export const [TAB, LF, CR, SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [
  0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x3a, 0x5c,
] as const;
export const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
export const [MINUS, SMALL_U] = [0x2d, 0x75] as const;

export const literals = ['true', 'false', 'null'].map((literal) => Buffer.from(literal));

/** For each byte: whether it may follow a backslash, and whether it is a digit of `\\u`. */
export const escapable = among('"\\/bfnrt');
export const hexDigit = among('0123456789abcdefABCDEF');

function among(letters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const letter of letters) table[letter.charCodeAt(0)] = 1;
  return table;
}
