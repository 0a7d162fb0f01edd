/** The first bytes of the encodings in which a text may be. One without a mark is UTF-8. */
const marks = [
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

/**
 * Returns the text that bytes are, without a byte order mark: UTF-8, or UTF-16 with a mark. Undefined for all other
 * bytes. A text has no NUL, which is what tells most binary files from text.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const mark = marks.find(({ bytes: [first, second] }) => bytes[0] === first && bytes[1] === second);
  try {
    const text = new TextDecoder(mark?.encoding ?? 'utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Whether bytes are a PDF. Some of them are valid UTF-8, which is no text that a model can read. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-';
}
