import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

import { BodyCutOff, bodyChunks, declaredLength, isIdentityEncoded } from './body-chunks.ts';
import { MultipartError } from './multipart-error.ts';
import { boundaryOf, readMultipartHead, type PartHead } from './multipart-head.ts';

/**
 * What may follow the closing delimiter: blanks, and an epilogue that nobody reads. A browser sends two bytes, a line
 * end.
 */
export const MAX_EPILOGUE_BYTES = 16 * 1024;

/**
 * What is reckoned with behind a form whose length alone is known: blanks. A longer epilogue makes its file look larger
 * by as much.
 */
export const MAX_PADDING_BYTES = 1024;

/** The one file of a form, its content not yet read. */
export interface MultipartFile {
  /** As the client sent it, without directories, never empty. Not fit for a header or a disk: see `cleanFilename()`. */
  readonly filename: string;
  /** What the client says that it is, in lower case and without parameters. */
  readonly mimeType: string;
  /**
   * The length of the content as `Content-Length` gives it away, exact for a body that ends with `--boundary--` and a
   * line end. Some clients leave that line end out: then it is 2 bytes too low. With more behind the form it is too
   * high, by `MAX_EPILOGUE_BYTES` at most. `undefined` for a chunked body.
   */
  readonly estimatedBytes: number | undefined;
  /**
   * The content. Nothing is read from the client before the stream is. It ends only when the whole body has been seen
   * to be well formed and to hold this one part; else it fails with a `MultipartError`, maybe after all its
   * bytes. To refuse the file, `destroy()` the stream and answer through `refuseRemainingBody()`.
   */
  readonly stream: Readable;
  /**
   * Resolves when the stream has ended as it should; rejects when it has failed or was destroyed. Need not be awaited
   * by those who see the stream's own end: its rejection is never an unhandled one.
   */
  readonly finished: Promise<void>;
}

/**
 * Opens the file of a `multipart/form-data` request (RFC 7578) that must hold exactly one part, `fieldName`, sent as
 * a file. Reads the part's header fields and not its content, so that a caller can refuse from name and size.
 * The content's length is for the caller to limit: destroy the stream when it has seen enough.
 *
 * @throws {MultipartError} when the body is already known to be something else; the request stays open for an answer
 */
export async function openMultipartFile(
  req: IncomingMessage,
  { fieldName }: { readonly fieldName: string },
): Promise<MultipartFile> {
  const boundary = boundaryOf(req);
  if (!isIdentityEncoded(req)) throw new MultipartError('malformed');

  const chunks = bodyChunks(req);
  try {
    const { part, sizeBytes, rest } = await readMultipartHead(chunks, boundary);
    const filename = requireFile(part, fieldName);
    const stream = contentStream(chunks, rest, boundary);
    return {
      filename,
      mimeType: part.mimeType,
      estimatedBytes: estimateContent(req, sizeBytes, boundary),
      stream,
      finished: settled(stream),
    };
  } catch (error) {
    await chunks.return();
    throw asMultipartError(error);
  }
}

function requireFile(part: PartHead, fieldName: string): string {
  if (part.name !== fieldName) throw new MultipartError('no-file');
  if (part.filename === undefined) throw new MultipartError('no-filename');
  return part.filename;
}

function estimateContent(req: IncomingMessage, headBytes: number, boundary: string): number | undefined {
  const bodyBytes = declaredLength(req);
  if (bodyBytes === undefined) return undefined;
  return Math.max(0, bodyBytes - headBytes - `\r\n--${boundary}--\r\n`.length);
}

function contentStream(chunks: AsyncGenerator<Buffer, void>, rest: Buffer, boundary: string): Readable {
  const stream = Readable.from(content(chunks, rest, boundary), { objectMode: false });
  // A stream that is destroyed before anyone read it never enters its generator: the request is let go here.
  stream.once('close', () => void chunks.return().catch(() => {}));
  return stream;
}

function settled(stream: Readable): Promise<void> {
  const outcome = finished(stream);
  outcome.catch(() => {});
  return outcome;
}

/** The part's content; returns only if the closing delimiter follows it, and no other. */
async function* content(chunks: AsyncGenerator<Buffer, void>, rest: Buffer, boundary: string): AsyncGenerator<Buffer> {
  try {
    const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    const after = yield* untilDelimiter(chunks, rest, delimiter);
    await expectClose(chunks, after, delimiter);
  } catch (error) {
    throw asMultipartError(error);
  }
}

/**
 * Yields all bytes before the delimiter and returns what was read of those after it. Bytes that may be the beginning
 * of the delimiter wait for the next chunk, all others are passed on as they came, uncopied.
 */
async function* untilDelimiter(
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

    const next = await nextChunk(chunks);
    window = safe === window.length ? next : Buffer.concat([window.subarray(safe), next]);
  }
}

/** How many of the last bytes could begin the delimiter. It has one CR, its first byte, so only the last CR can. */
function startOfDelimiter(window: Buffer, delimiter: Buffer): number {
  const tail = window.subarray(Math.max(0, window.length - delimiter.length + 1));
  const cr = tail.lastIndexOf('\r');
  if (cr === -1) return 0;
  const candidate = tail.subarray(cr);
  return delimiter.subarray(0, candidate.length).equals(candidate) ? candidate.length : 0;
}

/**
 * Checks the bytes after the content's delimiter: `--`, blanks, a line end, and an epilogue up to the end of the body.
 */
async function expectClose(chunks: AsyncGenerator<Buffer, void>, after: Buffer, delimiter: Buffer): Promise<void> {
  let seen = after;
  while (seen.length < 2) seen = Buffer.concat([seen, await nextChunk(chunks)]);
  const mark = seen.toString('latin1', 0, 2);
  if (mark !== '--') throw new MultipartError(/^(?:\r\n|[ \t])/.test(mark) ? 'too-many-parts' : 'malformed');

  let behind = seen.subarray(2);
  for (;;) {
    if (behind.length > MAX_EPILOGUE_BYTES) throw new MultipartError('malformed');
    const next = await chunks.next();
    if (next.done === true) break;
    behind = Buffer.concat([behind, next.value]);
  }
  // "Implementations must ignore [text] after the last boundary delimiter" (RFC 2046 section 5.1.1). With another
  // delimiter in it, it is rather a file that holds its own boundary: to store the first piece of that as the whole
  // would be wrong.
  if (!/^[ \t]*(?:[\r\n]|$)/.test(behind.toString('latin1')) || behind.includes(delimiter))
    throw new MultipartError('malformed');
}

async function nextChunk(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const next = await chunks.next();
  if (next.done === true) throw new MultipartError('cut-off');
  return next.value;
}

function asMultipartError(error: unknown): unknown {
  return error instanceof BodyCutOff ? new MultipartError('cut-off', { cause: error }) : error;
}
