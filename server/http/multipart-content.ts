import { MultipartError } from './multipart-error.ts';

/**
 * Yields all bytes before the delimiter, and returns those that were read after it. Bytes that may begin the delimiter
 * wait for the next chunk. All others are passed on without a copy.
 */
export async function* untilDelimiter(
  chunks: AsyncIterator<Buffer>,
  first: Buffer,
  delimiter: Buffer,
): AsyncGenerator<Buffer, Buffer> {
  let window = first;
  for (;;) {
    const at = window.indexOf(delimiter);
    const safe = at === -1 ? window.length - startOfDelimiter(window, delimiter) : at;
    if (safe > 0) yield window.subarray(0, safe);
    if (at !== -1) return window.subarray(at + delimiter.length);

    const tail = Buffer.from(window.subarray(safe)); // copied, because the next chunk ends this one
    const next = await nextChunk(chunks);
    window = tail.length === 0 ? next : Buffer.concat([tail, next]);
  }
}

/** Counts the last bytes that could begin the delimiter. Its only CR is its first byte, so only the last CR counts. */
function startOfDelimiter(window: Buffer, delimiter: Buffer): number {
  const tail = window.subarray(Math.max(0, window.length - delimiter.length + 1));
  const cr = tail.lastIndexOf('\r');
  if (cr === -1) return 0;
  const candidate = tail.subarray(cr);
  return delimiter.subarray(0, candidate.length).equals(candidate) ? candidate.length : 0;
}

/** Returns the next chunk of a body that must go on. @throws {MultipartError} `cut-off` */
export async function nextChunk(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const next = await chunks.next();
  if (next.done === true) throw new MultipartError('cut-off');
  return next.value;
}
