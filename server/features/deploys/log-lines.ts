import { maxLogLineBytes } from './limits.ts';

/** A line of a piece of output. */
interface LogLine {
  /** Without its line break. Bytes that are not UTF-8 are U+FFFD. */
  readonly text: string;
  /** Where the next line begins in the piece. */
  readonly end: number;
}

const newline = 0x0a;

/**
 * Returns the lines of a piece of output. A line without an end is left out, because more of it may follow. A line that
 * is too long is divided between characters.
 *
 * @param isLast whether nothing follows the piece, so that its last line needs no end
 */
export function logLines(
  bytes: Uint8Array,
  { isLast, limit }: { readonly isLast: boolean; readonly limit: number },
): LogLine[] {
  const lines: LogLine[] = [];
  for (let start = 0; start < bytes.length && lines.length < limit;) {
    const found = bytes.subarray(start, start + maxLogLineBytes + 1).indexOf(newline);
    const isLong = found === -1 && bytes.length - start > maxLogLineBytes;
    if (found === -1 && !isLong && !isLast) break;
    const until = found !== -1 ? start + found : isLong ? characterEnd(bytes, start) : bytes.length;
    const end = found === -1 ? until : until + 1;
    lines.push({ text: Buffer.from(bytes.subarray(start, until)).toString(), end });
    start = end;
  }
  return lines;
}

/** Returns where a line that is too long is divided: not within a character of UTF-8, which has up to four bytes. */
function characterEnd(bytes: Uint8Array, start: number): number {
  const end = start + maxLogLineBytes;
  for (let back = 0; back < 4; back++) if ((bytes[end - back]! & 0xc0) !== 0x80) return end - back;
  return end;
}
