import type { IncomingMessage } from 'node:http';

import type { OperationPolicy } from '#generated/policies.ts';
import { maxJsonBodyBytes, maxJsonDepth, maxJsonValues } from '#server/domain/limits.ts';
import type { IncomingBytes } from '#server/domain/chunked/put-part.ts';
import type { IncomingFile } from '#server/domain/objects/upload-object.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { BodyCutOff, bodyChunks, declaredLength, hasBody } from '#server/http/body-chunks.ts';
import { JsonBodyError, readJsonBody } from '#server/http/json-body.ts';
import { MultipartError } from '#server/http/multipart-error.ts';
import { MAX_PADDING_BYTES, openMultipartFile } from '#server/http/multipart-file.ts';

/** A JSON body that was read, or why it is refused once its turn comes. */
export type JsonBody = { readonly value: unknown } | { readonly refusal: Refusal };

export function takesJson(policy: OperationPolicy): boolean {
  return policy.bodyTypes.includes('application/json');
}

export function takesFile(policy: OperationPolicy): boolean {
  return policy.bodyTypes.includes('multipart/form-data');
}

/** Whether the body is bytes as they are, whatever its Content-Type says. */
export function takesBytes(policy: OperationPolicy): boolean {
  return policy.bodyTypes.includes('application/octet-stream');
}

/** Reads a JSON body whatever its Content-Type says. A key restricted to prefixes is checked against it before its faults count. */
export async function readJson(req: IncomingMessage): Promise<JsonBody> {
  try {
    return { value: await readJsonBody(req, { maxBytes: maxJsonBodyBytes, maxDepth: maxJsonDepth, maxValues: maxJsonValues }) };
  } catch (error) {
    if (!(error instanceof JsonBodyError)) throw error;
    return { refusal: new Refusal(error.reason === 'too-large' ? 'BODY_TOO_LARGE' : 'INVALID_BODY') };
  }
}

/**
 * Opens the one file of a multipart request; its bytes are not read yet.
 *
 * @throws INVALID_CONTENT_TYPE, INVALID_FILE
 */
export async function openFile(req: IncomingMessage): Promise<IncomingFile & { abandon(): void }> {
  const file = await openMultipartFile(req, { fieldName: 'file' }).catch(refuseMultipart);
  return {
    filename: file.filename,
    mimeType: file.mimeType,
    estimatedBytes: file.estimatedBytes,
    leastBytes: file.estimatedBytes && Math.max(0, file.estimatedBytes - MAX_PADDING_BYTES),
    bytes: refusing(file.stream),
    finished: () => file.finished.catch(refuseMultipart),
    abandon: () => void file.stream.destroy(),
  };
}

/** Opens the bytes of a request; none of them is read yet. */
export function openBytes(req: IncomingMessage): IncomingBytes {
  return { announcedBytes: hasBody(req) ? declaredLength(req) : 0, bytes: whole(req) };
}

async function* whole(req: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* bodyChunks(req);
  } catch (error) {
    if (!(error instanceof BodyCutOff)) throw error;
    // Nobody reads this: the connection is gone, or what is wrong with the body has been answered already.
    throw new Refusal('EMPTY_CHUNK', { message: 'The body ended before it was whole. Nothing was stored; send the part again.' });
  }
}

/** The file's bytes, with the reader's errors as refusals. */
async function* refusing(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    refuseMultipart(error);
  }
}

/** Without a cause: a refusal that has one is logged as a fault, and a wrong body is the client's. */
function refuseMultipart(error: unknown): never {
  if (!(error instanceof MultipartError)) throw error;
  const isFile = error.reason === 'no-filename' || error.reason === 'cut-off';
  throw new Refusal(isFile ? 'INVALID_FILE' : 'INVALID_CONTENT_TYPE');
}
