import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { Refusal } from '#server/domain/refusal.ts';
import { got } from '#server/domain/error-value.ts';
import type { UploadHeaders } from '#server/handlers/call.ts';
import { speaksTus, tusVersion, uploadChecksums } from '#server/http/upload-protocols.ts';

const tusType = 'application/offset+octet-stream';

/**
 * Reads the headers of tus 1.0, or of the IETF draft if there is no `Tus-Resumable`.
 *
 * @throws UNSUPPORTED_TUS_VERSION, INVALID_UPLOAD_HEADER
 */
export function readUploadHeaders(req: Pick<IncomingMessage, 'headers'>): UploadHeaders {
  const { headers } = req;
  const contentType = contentTypeOf(headers);
  return speaksTus(req as IncomingMessage) || contentType === tusType
    ? readTus(headers, contentType)
    : readDraft(headers, contentType);
}

/** Reads the headers of the IETF draft, where nothing else is spoken. */
export function readDraftHeaders({ headers }: Pick<IncomingMessage, 'headers'>): UploadHeaders {
  return readDraft(headers, contentTypeOf(headers));
}

function contentTypeOf(headers: IncomingHttpHeaders): string | undefined {
  return headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase();
}

function readTus(headers: IncomingHttpHeaders, contentType: string | undefined): UploadHeaders {
  const version = headers['tus-resumable'];
  if (version !== tusVersion)
    throw new Refusal('UNSUPPORTED_TUS_VERSION', version === undefined ? {} : { detail: got(String(version)) });
  const deferred = one(headers, 'upload-defer-length');
  if (deferred !== undefined && deferred !== '1') throw malformed('Upload-Defer-Length', '`1`', deferred);
  const lengthBytes = whole(headers, 'Upload-Length');
  if (deferred !== undefined && lengthBytes !== undefined)
    throw new Refusal('INVALID_UPLOAD_HEADER', {
      message: 'Upload-Length and Upload-Defer-Length exclude each other. Send one of them.',
    });
  return {
    protocol: 'tus',
    contentType,
    bodyType: tusType,
    offsetBytes: whole(headers, 'Upload-Offset'),
    lengthBytes,
    isLengthDeferred: deferred !== undefined,
    isComplete: undefined,
    checksum: checksumOf(one(headers, 'upload-checksum')),
    concat: concatOf(one(headers, 'upload-concat')),
    metadata: one(headers, 'upload-metadata'),
  };
}

function readDraft(headers: IncomingHttpHeaders, contentType: string | undefined): UploadHeaders {
  const complete = one(headers, 'upload-complete');
  // "Other values MUST cause the entire header field to be ignored." Then it is missing, where it is required.
  return {
    protocol: 'draft',
    contentType,
    bodyType: 'application/partial-upload',
    offsetBytes: lenient(headers, 'upload-offset'),
    lengthBytes: lenient(headers, 'upload-length'),
    isLengthDeferred: false,
    isComplete: complete === '?1' ? true : complete === '?0' ? false : undefined,
    checksum: undefined,
    concat: undefined,
    metadata: undefined,
  };
}

function one(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value?.trim();
}

/** Reads a whole number. @throws INVALID_UPLOAD_HEADER */
function whole(headers: IncomingHttpHeaders, name: string): number | undefined {
  const text = one(headers, name.toLowerCase());
  if (text === undefined) return undefined;
  const value = wholeOf(text);
  if (value === undefined) throw malformed(name, 'a whole number of bytes', text);
  return value;
}

function lenient(headers: IncomingHttpHeaders, name: string): number | undefined {
  const text = one(headers, name);
  return text === undefined ? undefined : wholeOf(text);
}

/** A number that JavaScript and the structured fields of HTTP can hold: up to 15 digits. */
function wholeOf(text: string): number | undefined {
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}

function checksumOf(text: string | undefined): UploadHeaders['checksum'] {
  if (text === undefined) return undefined;
  const [name, base64 = '', ...more] = text.split(' ');
  const algorithm = uploadChecksums.find((known) => known === name);
  if (!algorithm || more.length > 0 || !isBase64(base64) || base64 === '')
    throw malformed('Upload-Checksum', `one of ${uploadChecksums.join(', ')}, a space, and base64`, text);
  return { algorithm, value: Buffer.from(base64, 'base64') };
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
}

/** The uploads of one `Upload-Concat`: an account has no more open ones. */
const maxPartials = 32;

function concatOf(text: string | undefined): UploadHeaders['concat'] {
  if (text === undefined) return undefined;
  if (text === 'partial') return 'partial';
  // The pieces are split at each blank, because blanks before an end that does not match would be tried again and
  // again.
  const urls = text.startsWith('final;') ? text.slice('final;'.length).split(/\s/).filter(Boolean) : [];
  const handles = urls.map((url) => /^(?:https?:\/\/[^/?#]+)?\/(?:[^?#]*\/)?([^/?#]+)$/.exec(url)?.[1]);
  if (
    handles.length === 0 ||
    handles.length > maxPartials ||
    handles.includes(undefined) ||
    /[^\t\x20-\x7e]/.test(text)
  )
    throw malformed('Upload-Concat', '`partial`, or `final;` and up to 32 addresses of partial uploads', text);
  return { madeOf: text, handles: handles.map((handle) => decoded(handle!)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Reads `Upload-Metadata`: pairs of a key and a value in base64, separated by commas.
 *
 * @throws INVALID_UPLOAD_HEADER
 */
export function parseUploadMetadata(text: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const pair of text.split(',')) {
    const [key = '', base64 = '', ...more] = pair.trim().split(' ');
    if (!/^[\x21-\x7e]+$/.test(key) || more.length > 0 || !isBase64(base64) || pairs.has(key))
      throw malformed(
        'Upload-Metadata',
        'pairs of an ASCII key and base64 with a space between them, each key once',
        text,
      );
    pairs.set(key, Buffer.from(base64, 'base64').toString('utf8'));
  }
  return pairs;
}

function malformed(name: string, allowed: string, value: string): Refusal {
  return new Refusal('INVALID_UPLOAD_HEADER', { message: `\`${name}\` must be ${allowed}. ${got(value)}` });
}
