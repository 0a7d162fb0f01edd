import type { IncomingMessage } from 'node:http';

import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import type { IncomingBytes } from '#server/domain/incoming-bytes.ts';
import { maxFormFields, maxJsonBodyBytes, maxJsonDepth, maxJsonValues } from '#server/domain/limits.ts';
import type { IncomingFile } from '#server/domain/incoming-file.ts';
import { Refusal, type RefusalDetails } from '#server/domain/refusal.ts';
import type { IncomingPart, IncomingRaw } from '#server/handlers/call.ts';
import { BodyCutOff, contentLength, fleetingChunks, hasBody, isIdentityEncoded } from '#server/http/body-chunks.ts';
import { BodyError } from '#server/http/body-error.ts';
import type { BodyHold } from '#server/http/body-memory.ts';
import { isForm, readFormBody } from '#server/http/form-body.ts';
import { readJsonBody } from '#server/http/json-body.ts';
import { malformedValue } from '#server/http/query.ts';
import { MultipartError, type MultipartFault } from '#server/http/multipart-error.ts';
import { MAX_PADDING_BYTES, openMultipartFile } from '#server/http/multipart-only-file.ts';
import { multipartParts } from '#server/http/multipart-parts.ts';
import type { BufferedBody } from '#server/http/whole-body.ts';
import { bodyMessage } from './body-messages.ts';

/** The value of a JSON body or a form, or the refusal to throw when the request is validated. */
export type FieldsBody = { readonly value: unknown } | { readonly refusal: Refusal };

/** Whether the body has fields: JSON, or a form. */
export function takesFields(policy: OperationPolicy): boolean {
  return !policy.rawBody && (takesJson(policy) || takesForm(policy));
}

function takesJson(policy: OperationPolicy): boolean {
  return policy.bodyTypes.includes('application/json');
}

function takesForm(policy: OperationPolicy): boolean {
  return policy.bodyTypes.includes('application/x-www-form-urlencoded');
}

export function takesFile(policy: OperationPolicy): boolean {
  return policy.bodyTypes.includes('multipart/form-data') && !policy.formParts;
}

/** Whether the body is taken as raw bytes, whatever its Content-Type says. */
export function takesBytes(policy: OperationPolicy): boolean {
  return policy.bodyTypes.some((type) =>
    /^application\/(?:octet-stream|offset\+octet-stream|partial-upload)$/.test(type),
  );
}

/**
 * Reads a form if the operation takes one, and the client sends one or the operation takes no JSON. Otherwise reads
 * JSON, whatever the Content-Type says. If the operation needs no body, an empty one has no fields.
 *
 * A body with faults is returned as a refusal, because a key restricted to prefixes is checked before its faults count.
 *
 * @throws {BodyError} `no-memory`
 */
export async function readFields(req: IncomingMessage, policy: OperationPolicy, hold: BodyHold): Promise<FieldsBody> {
  const { maxBodyBytes: maxBytes = maxJsonBodyBytes } = policy;
  const buffered = { maxBytes, hold };
  try {
    return {
      value:
        takesForm(policy) && (isForm(req) || !takesJson(policy))
          ? await readForm(req, policy, buffered)
          : await readJson(req, buffered),
    };
  } catch (error) {
    if (!(error instanceof BodyError) || error.reason === 'no-memory') throw error;
    if (error.reason === 'empty' && !policy.bodyRequired) return { value: {} };
    if (error.reason === 'too-large') return { refusal: new Refusal('BODY_TOO_LARGE', tooLarge(req, maxBytes)) };
    const code = policy.bodyFields.body?.codes?.default ?? 'INVALID_BODY';
    // A page shows the code's standard message, so the specific message becomes its detail.
    return {
      refusal: new Refusal(
        code,
        policy.errorShape === 'page' ? { detail: bodyMessage(error) } : { message: bodyMessage(error) },
      ),
    };
  }
}

function tooLarge(req: IncomingMessage, maxBytes: number): RefusalDetails {
  const sizeBytes = contentLength(req);
  return { detail: `It takes up to ${maxBytes} bytes${sizeBytes === undefined ? '' : `, got ${sizeBytes}`}.` };
}

function readJson(req: IncomingMessage, buffered: BufferedBody): Promise<unknown> {
  return readJsonBody(req, { ...buffered, maxDepth: maxJsonDepth, maxValues: maxJsonValues });
}

/**
 * Reads the fields that the contract names. A field that is repeated or is not text becomes null. No field takes null,
 * so it is refused as that field.
 */
async function readForm(
  req: IncomingMessage,
  { bodyFields }: OperationPolicy,
  buffered: BufferedBody,
): Promise<unknown> {
  const form = await readFormBody(req, { ...buffered, maxFields: maxFormFields });
  const names = Object.keys(bodyFields).flatMap((at) => /^body\/([^/]+)$/.exec(at)?.[1] ?? []);
  const given = names.filter((name) => form.has(name));
  return Object.fromEntries(given.map((name) => [name, onlyText(form.get(name)!)]));
}

function onlyText([value, ...more]: readonly string[]): string | null {
  return value === undefined || more.length > 0 || value.includes(malformedValue) ? null : value;
}

/**
 * Opens the one file of a multipart request without reading its bytes.
 *
 * @throws INVALID_CONTENT_TYPE, INVALID_FILE
 */
export async function openFile(req: IncomingMessage): Promise<IncomingFile & { abandon(): void }> {
  const file = await openMultipartFile(req, { fieldName: 'file' }).catch(refuseMultipart);
  return {
    filename: file.filename,
    mimeType: file.mimeType,
    announcedBytes: file.estimatedBytes,
    leastBytes: file.estimatedBytes && Math.max(0, file.estimatedBytes - MAX_PADDING_BYTES),
    bytes: refusing(file.content),
    abandon: () => file.abandon(),
  };
}

/** Opens the parts of a form, without reading any of it. @throws INVALID_CONTENT_TYPE, INVALID_FILE */
export async function* openParts(req: IncomingMessage): AsyncGenerator<IncomingPart> {
  try {
    for await (const { name, isFile, filename, content } of multipartParts(req))
      yield { name, isFile, filename, bytes: refusing(content) };
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error;
    const message = partsFaults[error.reason as keyof typeof partsFaults];
    if (message === undefined) refuseMultipart(error);
    throw new Refusal('INVALID_CONTENT_TYPE', { message });
  }
}

/** What is wrong with a form of several parts, where the message for a form with one file would mislead. */
const partsFaults = {
  'not-multipart': 'Send multipart/form-data. The Content-Type is another one, or names no boundary.',
  'no-file': 'The form has no part. Send each file as a part named "file".',
  malformed: 'The parts of the form cannot be told apart: a boundary or a header of a part breaks RFC 2046.',
} as const;

/**
 * Opens the body of an operation that reads it itself, without reading any of it.
 *
 * @throws BODY_TOO_LARGE
 * @throws its own code when it is compressed, or ends before it is whole
 */
export function openRaw(req: IncomingMessage, policy: NonNullable<OperationPolicy['rawBody']>): IncomingRaw {
  return {
    isForm: isForm(req),
    header: (name) => [req.headers[name.toLowerCase()]].flat()[0],
    bytes: () => upTo(req, policy),
  };
}

async function* upTo(
  req: IncomingMessage,
  { maxBytes, code }: NonNullable<OperationPolicy['rawBody']>,
): AsyncGenerator<Uint8Array> {
  if ((contentLength(req) ?? 0) > maxBytes) throw new Refusal('BODY_TOO_LARGE');
  if (!isIdentityEncoded(req)) throw new Refusal(code);
  let sizeBytes = 0;
  try {
    for await (const chunk of fleetingChunks(req)) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new Refusal('BODY_TOO_LARGE');
      yield chunk;
    }
  } catch (error) {
    throw error instanceof BodyCutOff ? new Refusal(code) : error;
  }
}

/** Opens the bytes of a request without reading them. */
export function openBytes(req: IncomingMessage): IncomingBytes {
  return { announcedBytes: hasBody(req) ? contentLength(req) : 0, bytes: whole(req) };
}

async function* whole(req: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* fleetingChunks(req);
  } catch (error) {
    if (!(error instanceof BodyCutOff)) throw error;
    // Nobody reads this: the connection is gone, or the body's fault is already in a response.
    throw new Refusal('EMPTY_CHUNK', {
      message: 'The body ended before it was whole. Nothing was stored; send the part again.',
    });
  }
}

/** Yields the file's bytes, and throws the reader's errors as refusals. */
async function* refusing(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    refuseMultipart(error);
  }
}

/** The detail for each fault of a form that carries a file. */
const formFaults: Readonly<Record<Exclude<MultipartFault, 'ambiguous'>, string>> = {
  'not-multipart': 'The Content-Type is another one, or names no boundary.',
  'no-file': 'The first part is not named "file".',
  'too-many-parts': 'Another part follows the file.',
  'no-filename': 'The part "file" has no filename.',
  'fields-too-large': 'What stands before the file is too large.',
  'cut-off': 'The body ended before the closing boundary.',
  malformed: 'The parts cannot be told apart: a boundary or a header of a part breaks RFC 2046.',
};

/**
 * Throws a refusal without a cause. A refusal with a cause is logged as a fault, and a malformed body is the client's
 * fault.
 */
function refuseMultipart(error: unknown): never {
  if (!(error instanceof MultipartError)) throw error;
  if (error.reason === 'ambiguous')
    throw new Refusal('INVALID_FILE', {
      message:
        'The part `file` has two filenames, or says twice what it is. Send one Content-Disposition with one filename.',
    });
  const isFile = error.reason === 'no-filename' || error.reason === 'cut-off';
  throw new Refusal(isFile ? 'INVALID_FILE' : 'INVALID_CONTENT_TYPE', { detail: formFaults[error.reason] });
}
