import type { IncomingMessage } from 'node:http';

import { BodyCutOff, contentLength, fleetingChunks, isIdentityEncoded } from './body-chunks.ts';
import { MultipartError } from './multipart-error.ts';
import { nextChunk, untilDelimiter } from './multipart-content.ts';
import { boundaryOf, readMultipartHead, type PartHead } from './multipart-head.ts';

/** Limit of the blanks and the ignored epilogue after the closing delimiter. A browser sends two bytes, a line end. */
export const MAX_EPILOGUE_BYTES = 16 * 1024;

/**
 * Blanks that may follow a form, for estimates from its length. After a longer epilogue the file looks larger than it
 * is.
 */
export const MAX_PADDING_BYTES = 1024;

/**
 * The file of a form that has nothing else, before its content is read: an upload of the REST API. The forms of S3 have
 * fields, too, and are read by multipart-fields-and-file.ts.
 */
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
   * The content, which can be read once. The client's bytes are read only as fast as it is. A chunk is valid until the
   * next one is requested. It ends only if the whole body is well formed and has no other part. Otherwise it fails with
   * a `MultipartError`, perhaps after all its bytes. To reject the file, stop reading and call `refuseRemainingBody()`
   * before the response.
   */
  readonly content: AsyncIterable<Buffer>;
  /** Releases the request, also when the content was not read. May be called again. */
  abandon(): void;
}

/**
 * Opens the file of a `multipart/form-data` request (RFC 7578) that must have exactly one part, `fieldName`, sent as a
 * file. It reads the part's header fields but not its content, so that the caller can reject by name and size. The
 * caller limits the content's length.
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

  const chunks = fleetingChunks(req);
  try {
    const { part, sizeBytes, rest } = await readMultipartHead(chunks, boundary);
    return {
      filename: requireFile(part, fieldName),
      mimeType: part.mimeType,
      estimatedBytes: estimateContent(req, sizeBytes, boundary),
      content: content(chunks, rest, boundary),
      abandon: () => void chunks.return().catch(() => {}),
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
  const bodyBytes = contentLength(req);
  if (bodyBytes === undefined) return undefined;
  return Math.max(0, bodyBytes - headBytes - `\r\n--${boundary}--\r\n`.length);
}

/** Yields the part's content. Returns only if the closing delimiter follows, and no other. */
async function* content(chunks: AsyncGenerator<Buffer, void>, rest: Buffer, boundary: string): AsyncGenerator<Buffer> {
  try {
    const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
    const after = yield* untilDelimiter(chunks, rest, delimiter);
    await expectClose(chunks, after, delimiter);
  } catch (error) {
    throw asMultipartError(error);
  } finally {
    void chunks.return().catch(() => {});
  }
}

/** Checks the bytes after the content's delimiter: `--`, blanks, a line end, and an epilogue to the end of the body. */
async function expectClose(chunks: AsyncGenerator<Buffer, void>, after: Buffer, delimiter: Buffer): Promise<void> {
  let seen: Buffer = Buffer.from(after); // copied, because the next chunk ends this one
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

function asMultipartError(error: unknown): unknown {
  return error instanceof BodyCutOff ? new MultipartError('cut-off', { cause: error }) : error;
}
