import type { IncomingMessage } from 'node:http';

import { nextTurn } from '#server/event-loop.ts';

import { BodyCutOff, fleetingChunks, isIdentityEncoded } from './body-chunks.ts';
import { nextChunk, untilDelimiter } from './multipart-content.ts';
import { MultipartError } from './multipart-error.ts';
import { boundaryOf, partHead, readMultipartHead, type PartHead } from './multipart-head.ts';
import { MAX_EPILOGUE_BYTES } from './multipart-only-file.ts';

/** Limit of the header fields of one part. */
const maxHeadBytes = 16 * 1024;

/** One chunk can hold a thousand parts. Other work gets a turn after this time. */
const turnMs = 5;

/** A part of a form, while it is being received. */
interface FormPart extends PartHead {
  /** Whether the part says that it is a file, perhaps without a name. */
  readonly isFile: boolean;
  /** The content, which can be read once. A chunk is valid until the next one is requested. */
  readonly content: AsyncIterable<Buffer>;
}

/**
 * Yields the parts of a `multipart/form-data` request (RFC 7578) as they arrive, each before its content. The request
 * is read only as fast as the caller reads the contents. The rest of a content is skipped when the next part is
 * requested. Filenames keep their folders.
 *
 * It ends only if the whole body is well formed. To reject the form, stop reading and respond.
 *
 * @throws {MultipartError}
 */
export async function* multipartParts(req: IncomingMessage): AsyncGenerator<FormPart> {
  const boundary = boundaryOf(req);
  if (!isIdentityEncoded(req)) throw new MultipartError('malformed');
  const chunks = fleetingChunks(req);
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  try {
    const head = await readMultipartHead(chunks, boundary, { keepsFolders: true });
    let next: OpenPart | undefined = { ...head.part, rest: head.rest };
    let since = performance.now();
    while (next) {
      let after: Buffer | undefined;
      const bytes = contentOf(chunks, next.rest, delimiter, (behind) => (after = behind));
      const { name, filename, mimeType, isFile } = next;
      yield { name, filename, mimeType, isFile, content: onceOnly(bytes) };
      for await (const _ of bytes); // what its reader left
      if (after === undefined) throw new MultipartError('malformed');
      if (performance.now() - since > turnMs) {
        await nextTurn();
        since = performance.now();
      }
      next = await nextPart(chunks, after);
    }
  } catch (error) {
    throw error instanceof BodyCutOff ? new MultipartError('cut-off', { cause: error }) : error;
  } finally {
    void chunks.return().catch(() => {});
  }
}

interface OpenPart extends PartHead {
  /** Bytes of its content that were read with its head. */
  readonly rest: Buffer;
}

async function* contentOf(
  chunks: AsyncIterator<Buffer>,
  rest: Buffer,
  delimiter: Buffer,
  onEnd: (after: Buffer) => void,
): AsyncGenerator<Buffer> {
  try {
    onEnd(yield* untilDelimiter(chunks, rest, delimiter));
  } catch (error) {
    throw error instanceof BodyCutOff ? new MultipartError('cut-off', { cause: error }) : error;
  }
}

/** Lets a reader leave early without ending the generator, so that the rest can be skipped. */
function onceOnly(bytes: AsyncGenerator<Buffer>): AsyncIterable<Buffer> {
  return { [Symbol.asyncIterator]: () => ({ next: () => bytes.next() }) };
}

/** Reads what follows a delimiter: the header fields of the next part, or the end of the body. */
async function nextPart(chunks: AsyncGenerator<Buffer, void>, after: Buffer): Promise<OpenPart | undefined> {
  let seen: Buffer = Buffer.from(after); // copied, because the next chunk ends this one
  const more = async () => {
    if (seen.length > maxHeadBytes) throw new MultipartError('malformed');
    seen = Buffer.concat([seen, await nextChunk(chunks)]);
  };
  while (seen.length < 2) await more();
  if (seen.toString('latin1', 0, 2) === '--') {
    await expectEnd(chunks, seen.subarray(2));
    return undefined;
  }
  let lineEnd = seen.indexOf('\r\n');
  for (; lineEnd === -1; lineEnd = seen.indexOf('\r\n')) await more();
  if (!/^[ \t]*$/.test(seen.toString('latin1', 0, lineEnd))) throw new MultipartError('malformed');
  let end = seen.indexOf('\r\n\r\n', lineEnd);
  for (; end === -1; end = seen.indexOf('\r\n\r\n', lineEnd)) await more();
  if (end - lineEnd > maxHeadBytes) throw new MultipartError('malformed');
  const part = await partHead(seen.subarray(lineEnd + 2, end + 4), { keepsFolders: true });
  return { ...part, rest: seen.subarray(end + 4) };
}

/** Checks what follows the closing delimiter: blanks, a line end, and an epilogue that is ignored. */
async function expectEnd(chunks: AsyncGenerator<Buffer, void>, after: Buffer): Promise<void> {
  let behindBytes = after.length;
  if (!/^[ \t]*(?:[\r\n]|$)/.test(after.toString('latin1'))) throw new MultipartError('malformed');
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    behindBytes += next.value.length;
    if (behindBytes > MAX_EPILOGUE_BYTES) throw new MultipartError('malformed');
  }
}
