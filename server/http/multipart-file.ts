import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

import { BodyCutOff, bodyChunks, declaredLength, isIdentityEncoded } from './body-chunks.ts';
import { MultipartError } from './multipart-error.ts';
import { boundaryOf, readMultipartHead, type PartHead } from './multipart-head.ts';

/** Limit of the blanks and the ignored epilogue after the closing delimiter. A browser sends two bytes, a line end. */
export const MAX_EPILOGUE_BYTES = 16 * 1024;

/**
 * Blanks that may follow a form, for estimates from its length. After a longer epilogue the file looks larger than it
 * is.
 */
export const MAX_PADDING_BYTES = 1024;

/** The file of a form, before its content is read. */
export interface MultipartFile {
  /** As sent, without directories, never empty. Not safe for a header or a disk: see `cleanFilename()`. */
  readonly filename: string;
  /** As the client states it, in lower case, without parameters. */
  readonly mimeType: string;
  /**
   * The length of the content, computed from `Content-Length`. It is exact for a body that ends with `--boundary--` and
   * a line end. Without that line end it is 2 bytes too low. With an epilogue it is too high, by at most
   * `MAX_EPILOGUE_BYTES`. `undefined` for a chunked body.
   */
  readonly estimatedBytes: number | undefined;
  /**
   * The content. The client's bytes are read only as fast as the stream. It ends only if the whole body is well formed
   * and has no other part. Otherwise it fails with a `MultipartError`, perhaps after all its bytes. To reject the file,
   * `destroy()` the stream and call `refuseRemainingBody()` before the response.
   */
  readonly stream: Readable;
  /**
   * Resolves when the stream has ended, and rejects when it has failed or was destroyed. It need not be awaited: the
   * rejection never counts as unhandled.
   */
  readonly finished: Promise<void>;
}

/**
 * Opens the file of a `multipart/form-data` request (RFC 7578) that must have exactly one part, `fieldName`, sent as a
 * file. It reads the part's header fields but not its content, so that the caller can reject by name and size. The
 * caller limits the content's length by destroying the stream.
 *
 * @throws {MultipartError} if the head already shows that the body is something else. The request stays open for a
 *   response
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
  // A stream that is destroyed before it is read never enters its generator, so the request is released here.
  stream.once('close', () => void chunks.return().catch(() => {}));
  return stream;
}

function settled(stream: Readable): Promise<void> {
  const outcome = finished(stream);
  outcome.catch(() => {});
  return outcome;
}

/** Yields the part's content. Returns only if the closing delimiter follows, and no other. */
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
 * Yields all bytes before the delimiter, and returns those that were read after it. Bytes that may begin the delimiter
 * wait for the next chunk. All others are passed on without a copy.
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

/** Counts the last bytes that could begin the delimiter. Its only CR is its first byte, so only the last CR counts. */
function startOfDelimiter(window: Buffer, delimiter: Buffer): number {
  const tail = window.subarray(Math.max(0, window.length - delimiter.length + 1));
  const cr = tail.lastIndexOf('\r');
  if (cr === -1) return 0;
  const candidate = tail.subarray(cr);
  return delimiter.subarray(0, candidate.length).equals(candidate) ? candidate.length : 0;
}

/** Checks the bytes after the content's delimiter: `--`, blanks, a line end, and an epilogue to the end of the body. */
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
  // "Implementations must ignore [text] after the last boundary delimiter" (RFC 2046 section 5.1.1). Text with another
  // delimiter is rather a file that contains its own boundary. Its first piece must not be stored as the whole file.
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
