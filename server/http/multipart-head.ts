import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';

import busboy from 'busboy';

import { MultipartError } from './multipart-error.ts';

/** Limit of the preamble, the first delimiter and the part's header fields together. */
const MAX_HEAD_BYTES = 16 * 1024;

/** RFC 2046 section 5.1.1: a boundary has 1 to 70 characters. */
const MAX_BOUNDARY_LENGTH = 70;

/** The header fields that name a part of `multipart/form-data` (RFC 7578 section 4). */
export interface PartHead {
  readonly name: string | undefined;
  /** Whether the part says that it is a file, perhaps without a name. */
  readonly isFile: boolean;
  /**
   * As sent, in UTF-8, without directories unless they are to be kept; `undefined` for a part that is not a file, or
   * has no name.
   */
  readonly filename: string | undefined;
  /** In lower case, without parameters; `application/octet-stream` by default. */
  readonly mimeType: string;
}

/** How the header fields of a part are read. */
interface HeadOptions {
  /** Whether a filename keeps the folders in it. */
  readonly keepsFolders?: boolean;
}

/** The head of a multipart body, read from a stream. */
interface MultipartHead {
  readonly part: PartHead;
  /** The number of the body's bytes before the part's content. */
  readonly sizeBytes: number;
  /** Bytes after the head that were read with it. */
  readonly rest: Buffer;
}

/** The usual form of the header. A parser for all forms takes several times longer. */
const plainType = /^multipart\/form-data; ?boundary=([\w!#$%&'*+.^`|~-]{1,70})$/;

/**
 * Returns the boundary in a request's `Content-Type`, without quotes.
 *
 * @throws {MultipartError} `not-multipart`
 */
export function boundaryOf(req: IncomingMessage): string {
  const header = req.headers['content-type'];
  const [, plain] = plainType.exec(header ?? '') ?? [];
  if (plain !== undefined) return plain;
  const type = mediaType(header);
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
 * @param chunks the body from its first byte. It is read only until the head is complete. A chunk is valid until the
 *   next one is requested, and so is `rest`
 * @throws {MultipartError} `no-file` if the body or the form is empty, `ambiguous`, `malformed`, `cut-off`
 */
export async function readMultipartHead(
  chunks: AsyncIterator<Buffer>,
  boundary: string,
  options: HeadOptions = {},
): Promise<MultipartHead> {
  const firstDelimiter = Buffer.from(`--${boundary}`, 'latin1');
  let before: Buffer = Buffer.alloc(0);
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) throw new MultipartError(before.length === 0 ? 'no-file' : 'cut-off');
    const seen = before.length === 0 ? next.value : Buffer.concat([before, next.value]);
    const fields = findHeaderFields(seen, firstDelimiter);
    if ((fields?.end ?? seen.length) > MAX_HEAD_BYTES) throw new MultipartError('malformed');
    if (fields !== undefined) {
      const part = await partHead(seen.subarray(fields.start, fields.end), options);
      return { part, sizeBytes: fields.end, rest: seen.subarray(fields.end) };
    }
    before = Buffer.from(seen); // copied, because the next chunk ends this one
  }
}

/**
 * Finds the first part's header fields, with their empty last line. They reach from the end of the first delimiter's
 * line to the first empty line after it.
 *
 * @returns `undefined` if they are not complete yet
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

/** A delimiter begins a line. Text before the first one is a preamble without meaning. */
function indexOfFirstDelimiter(seen: Buffer, delimiter: Buffer): number {
  if (seen.subarray(0, delimiter.length).equals(delimiter)) return 0;
  const lineBefore = seen.indexOf(Buffer.concat([Buffer.from('\r\n'), delimiter]));
  return lineBefore === -1 ? -1 : lineBefore + 2;
}

/** Reads the header fields of a part, with their empty last line. @throws {MultipartError} `ambiguous`, `malformed` */
export async function partHead(fields: Buffer, options: HeadOptions = {}): Promise<PartHead> {
  const text = fields.toString('latin1');
  const plain = parsePlainHead(text);
  if (plain) return plain;
  if (repeatsItself(text)) throw new MultipartError('ambiguous');
  return parsePartHead(fields, options);
}

/** Header fields without anything that needs decoding, as most programs send them. */
const plainHead =
  /^Content-Disposition: form-data; name="([\w-]*)"; filename="([\w !#$&'()+,;=@^`{}~[\]-][\w !#$&'()+,;=@^`{}~[\].-]*)"\r\n(?:Content-Type: ([\w!#$&^+-]+\/[\w!#$&^.+-]+)\r\n)?\r\n$/i;

/**
 * Parses the header fields of most files, which a parser for all forms of them does 30 times slower.
 *
 * @returns undefined for all others
 */
export function parsePlainHead(fields: string): PartHead | undefined {
  const [, name, filename, mimeType = 'application/octet-stream'] = plainHead.exec(fields) ?? [];
  return name === undefined ? undefined : { name, isFile: true, filename, mimeType: mimeType.toLowerCase() };
}

/** A quoted text, even without its closing quote. */
const quoted = /"(?:[^"\\]|\\[^]?)*"?/g;

/**
 * Whether a part is described twice: by two fields of one name, or by two parameters of one name in its disposition.
 * Parsers differ in which one they use, so a filter in front of this server could have checked the harmless one.
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
 * Parses header fields with busboy, as those of a form with one part and no content. So quoting, folded lines,
 * `filename*` and character sets are read as usual in Node. The content itself does not go through busboy. Busboy ends
 * a file silently at a line that only begins like the boundary, and does not report the number of bytes before the
 * file.
 */
export function parsePartHead(fields: Buffer, { keepsFolders = false }: HeadOptions = {}): Promise<PartHead> {
  return new Promise((resolve, reject) => {
    let part: PartHead | undefined;
    const typeOf = (mimeType: string) =>
      mimeType === 'text/plain' && !saysPlainText(fields) ? 'application/octet-stream' : mimeType;
    const form = busboy({
      headers: { 'content-type': 'multipart/form-data; boundary=head' },
      defParamCharset: 'utf8',
      preservePath: keepsFolders,
      limits: { files: 1, fields: 1, parts: 2 },
    });
    form.on('file', (name, content, { filename, mimeType }) => {
      // Busboy has already decoded `filename*`, which has its own encoding (RFC 8187).
      const named = /filename\*\s*=/i.test(fields.toString('latin1').replace(quoted, ''))
        ? filename
        : decodeFilename(filename);
      part = { name, isFile: true, filename: named || undefined, mimeType: typeOf(mimeType) };
      content.on('error', () => {}).resume();
    });
    form.on('field', (name, _value, { mimeType }) => {
      part = { name, isFile: false, filename: undefined, mimeType: typeOf(mimeType) };
    });
    form.on('error', () => reject(new MultipartError('malformed')));
    // Without any other event, the fields have no "Content-Disposition: form-data".
    form.on('close', () => (part === undefined ? reject(new MultipartError('malformed')) : resolve(part)));
    form.end(Buffer.concat([Buffer.from('--head\r\n'), fields, Buffer.from('\r\n--head--\r\n')]));
  });
}

/**
 * Decodes a form's filename as browsers encode it: "replacing any occurrences of the following strings with their
 * corresponding encodings" (HTML standard, "multipart/form-data encoding algorithm"). The strings are a line feed, a
 * carriage return and a quotation mark. Nothing else is encoded, so `%20` and `%0a` are part of the name.
 */
export function decodeFilename(filename: string | undefined): string | undefined {
  return filename?.replace(/%(?:22|0D|0A)/g, decodeURIComponent);
}

/**
 * Whether a part names the type `text/plain`. Busboy also returns it for a part without a readable type, which is an
 * octet stream (RFC 7578, section 4.4).
 */
function saysPlainText(fields: Buffer): boolean {
  return /^content-type[ \t]*:\s*text\/plain/im.test(fields.toString('latin1'));
}
