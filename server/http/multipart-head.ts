import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';

import busboy from 'busboy';

import { MultipartError } from './multipart-error.ts';

/** What may stand before a part's content: the preamble, the first delimiter and the part's header fields. */
const MAX_HEAD_BYTES = 16 * 1024;

/** RFC 2046 section 5.1.1: a boundary has 1 to 70 characters. */
const MAX_BOUNDARY_LENGTH = 70;

/** The header fields of a part of `multipart/form-data` (RFC 7578 section 4), as far as they name it. */
export interface PartHead {
  readonly name: string | undefined;
  /** As sent, in UTF-8, without directories; `undefined` for a part that is no file, or one without a name. */
  readonly filename: string | undefined;
  /** In lower case, without parameters; `application/octet-stream` when the part does not say. */
  readonly mimeType: string;
}

/** The head of a multipart body, taken off a stream. */
export interface MultipartHead {
  readonly part: PartHead;
  /** The number of the body's bytes before the part's content. */
  readonly sizeBytes: number;
  /** What was already read of the bytes after the head. */
  readonly rest: Buffer;
}

/**
 * The boundary that a request's `Content-Type` gives, without quotes.
 *
 * @throws {MultipartError} `not-multipart`
 */
export function boundaryOf(req: IncomingMessage): string {
  const type = mediaType(req.headers['content-type']);
  const boundary = type?.params.get('boundary') ?? '';
  if (type?.essence !== 'multipart/form-data' || boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH) {
    throw new MultipartError('not-multipart');
  }
  return boundary;
}

function mediaType(header: string | undefined): MIMEType | undefined {
  try {
    return header === undefined ? undefined : new MIMEType(header);
  } catch {
    return undefined;
  }
}

/**
 * Reads a multipart body up to the first byte of its first part's content.
 *
 * @param chunks the body from its first byte; more of it is taken only until the head is complete
 * @throws {MultipartError} `no-file` when the body or the form is empty, `ambiguous`, `malformed`, `cut-off`
 */
export async function readMultipartHead(chunks: AsyncIterator<Buffer>, boundary: string): Promise<MultipartHead> {
  const firstDelimiter = Buffer.from(`--${boundary}`, 'latin1');
  let seen: Buffer = Buffer.alloc(0);
  for (;;) {
    const fields = findHeaderFields(seen, firstDelimiter);
    if ((fields?.end ?? seen.length) > MAX_HEAD_BYTES) throw new MultipartError('malformed');
    if (fields !== undefined) {
      const head = seen.subarray(fields.start, fields.end);
      if (repeatsItself(head.toString('latin1'))) throw new MultipartError('ambiguous');
      const part = await parsePartHead(head);
      return { part, sizeBytes: fields.end, rest: seen.subarray(fields.end) };
    }
    const next = await chunks.next();
    if (next.done === true) throw new MultipartError(seen.length === 0 ? 'no-file' : 'cut-off');
    seen = Buffer.concat([seen, next.value]);
  }
}

/**
 * Where the first part's header fields lie, their empty last line included: from the end of the first delimiter's
 * line to the first empty line after it, since a header field can hold none.
 *
 * @returns `undefined` while that is not yet seen
 */
function findHeaderFields(seen: Buffer, delimiter: Buffer): { start: number; end: number } | undefined {
  const delimiterAt = indexOfFirstDelimiter(seen, delimiter);
  if (delimiterAt === -1) return undefined;

  const afterDelimiter = delimiterAt + delimiter.length;
  // "--boundary--" at once is a form without parts.
  if (seen.toString('latin1', afterDelimiter, afterDelimiter + 2) === '--') throw new MultipartError('no-file');
  const lineEnd = seen.indexOf('\r\n', afterDelimiter);
  if (lineEnd === -1) return undefined;
  if (!/^[ \t]*$/.test(seen.toString('latin1', afterDelimiter, lineEnd))) throw new MultipartError('malformed');

  const emptyLine = seen.indexOf('\r\n\r\n', lineEnd);
  return emptyLine === -1 ? undefined : { start: lineEnd + 2, end: emptyLine + 4 };
}

/** A delimiter begins a line; what stands before the first one is a preamble and means nothing. */
function indexOfFirstDelimiter(seen: Buffer, delimiter: Buffer): number {
  if (seen.subarray(0, delimiter.length).equals(delimiter)) return 0;
  const lineBefore = seen.indexOf(Buffer.concat([Buffer.from('\r\n'), delimiter]));
  return lineBefore === -1 ? -1 : lineBefore + 2;
}

/** A quoted text, also one that nobody closes. */
const quoted = /"(?:[^"\\]|\\[^]?)*"?/g;

/**
 * Whether a part is described twice: by two fields of a name, or two parameters of a name in its disposition. Readers
 * differ in which of two they take, so a filter before this server could have looked at the harmless one.
 */
function repeatsItself(fields: string): boolean {
  const lines = fields
    .replace(/\r\n[ \t]/g, ' ')
    .split('\r\n')
    .filter((line) => line !== '');
  const names = lines.map((line) => line.slice(0, line.indexOf(':')).trim().toLowerCase());
  if (hasTwice(names.filter((name) => name.startsWith('content-')))) return true;
  const disposition = lines[names.indexOf('content-disposition')] ?? '';
  return hasTwice(
    disposition
      .replace(quoted, '')
      .split(';')
      .slice(1)
      .map((parameter) => parameter.split('=', 1)[0]!.trim().toLowerCase())
      .filter((name) => name !== ''),
  );
}

function hasTwice(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}

/**
 * Has busboy read header fields, by giving it a form whose one part has these fields and no content. So quoting,
 * folded lines, `filename*` and character sets are read as everywhere else in Node. The content itself does not go
 * through busboy: it ends a file silently where a line only begins like the boundary, and does not say how many
 * bytes came before the file.
 */
function parsePartHead(fields: Buffer): Promise<PartHead> {
  return new Promise((resolve, reject) => {
    let part: PartHead | undefined;
    const typeOf = (mimeType: string) =>
      mimeType === 'text/plain' && !saysPlainText(fields) ? 'application/octet-stream' : mimeType;
    const form = busboy({
      headers: { 'content-type': 'multipart/form-data; boundary=head' },
      defParamCharset: 'utf8',
      limits: { files: 1, fields: 1, parts: 2 },
    });
    form.on('file', (name, content, { filename, mimeType }) => {
      // RFC 8187 has its own encoding, which busboy has read.
      const named = /filename\*\s*=/i.test(fields.toString('latin1').replace(quoted, ''))
        ? filename
        : decodeFilename(filename);
      part = { name, filename: named || undefined, mimeType: typeOf(mimeType) };
      content.on('error', () => {}).resume();
    });
    form.on('field', (name, _value, { mimeType }) => {
      part = { name, filename: undefined, mimeType: typeOf(mimeType) };
    });
    form.on('error', () => reject(new MultipartError('malformed')));
    // No event but the end: the fields do not say "Content-Disposition: form-data".
    form.on('close', () => (part === undefined ? reject(new MultipartError('malformed')) : resolve(part)));
    form.end(Buffer.concat([Buffer.from('--head\r\n'), fields, Buffer.from('\r\n--head--\r\n')]));
  });
}

/**
 * Reads a form's filename as browsers write it: "replacing any occurrences of the following strings with their
 * corresponding encodings" (HTML standard, "multipart/form-data encoding algorithm"), of a line feed, a carriage return
 * and a quotation mark. Nothing else is encoded, so `%20` and `%0a` are letters of the name.
 */
export function decodeFilename(filename: string | undefined): string | undefined {
  return filename?.replace(/%(?:22|0D|0A)/g, decodeURIComponent);
}

/**
 * Of a part that says nothing readable busboy says `text/plain` too; a file of unknown type is an octet stream
 * (RFC 7578, section 4.4).
 */
function saysPlainText(fields: Buffer): boolean {
  return /^content-type[ \t]*:\s*text\/plain/im.test(fields.toString('latin1'));
}
