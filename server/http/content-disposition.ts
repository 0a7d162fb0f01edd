import { create, format, parse } from 'content-disposition';

/** Most file systems take names of at most 255 bytes. */
const MAX_FILENAME_BYTES = 255;

/** An extension, or two of them: `.pdf`, `.fastq.gz`. */
const EXTENSION = /(?:\.[\p{L}\p{N}_-]{1,16}){1,2}$/u;

/**
 * Formats a `Content-Disposition` response header (RFC 6266). Every client gets `filename=` in ASCII. If ASCII cannot
 * express the name, `filename*=` follows in UTF-8 (RFC 8187), which clients prefer. An empty name is left out.
 *
 * It is safe for any string: no name can end the parameter or the header.
 */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  if (filename === '') return kind;
  const name = filename.toWellFormed();
  return create(name, { type: kind, fallback: asciiFallback(name) });
}

/** Returns the filename in a `Content-Disposition` request header. Undefined if it has none or cannot be read. */
export function filenameOf(header: string): string | undefined {
  try {
    const { filename } = parse(header).parameters;
    return filename ? cleanFilename(filename) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes a client's own `Content-Disposition` in ASCII: a name that ASCII cannot express gets both forms, as in
 * `contentDisposition()`. Other parameters that ASCII cannot express are left out. Returns undefined for a value
 * without a readable type.
 */
export function asciiDisposition(header: string): string | undefined {
  try {
    const { type, parameters } = parse(header);
    const { filename, ...others } = parameters;
    const kept = Object.entries(others).filter(
      ([name, value]) => /^(?!filename\*)[\w!#$&+.^`|~*-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value),
    );
    const rest = format({ type, parameters: Object.fromEntries(kept) });
    if (filename === undefined) return rest;
    const name = filename.toWellFormed();
    return create(name, { type, fallback: asciiFallback(name) }) + rest.slice(type.length);
  } catch {
    return undefined;
  }
}

/** Like `contentDisposition()`, for a name that a client chose: it is cleaned first. */
export function cleanDisposition(kind: 'inline' | 'attachment', filename: string): string {
  return contentDisposition(kind, cleanFilename(filename));
}

/**
 * Returns the name in characters that every client reads alike. Clients differ in escaping quotes and backslashes, and
 * in decoding `%41` (RFC 6266 appendix D).
 */
function asciiFallback(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '_')
    .replace(/["\\%]/g, '_');
}

/**
 * Cleans a file name from a client. It keeps the last part of a path. It removes control characters, and characters
 * that reverse the direction of text (`exe.txt` may read as `txt.exe`). It removes dots and spaces at both ends, so
 * that the name is neither hidden nor `..`. It shortens the name to 255 bytes of UTF-8 and keeps the extension.
 *
 * @returns `''` if nothing is left
 */
export function cleanFilename(raw: string): string {
  const visible = raw
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\u200b\ufeff]/gu, '');
  const lastPart = visible.slice(Math.max(visible.lastIndexOf('/'), visible.lastIndexOf('\\')) + 1);
  return shortened(trimmed(lastPart));
}

function trimmed(name: string): string {
  return name.replace(/^[\s.]+/u, '').replace(/(?<![\s.])[\s.]+$/u, '');
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_FILENAME_BYTES) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  const written = new Uint8Array(MAX_FILENAME_BYTES - Buffer.byteLength(extension));
  // encodeInto() stops before the character that does not fit, so no character is cut.
  const { read } = new TextEncoder().encodeInto(stem, written);
  return trimmed(stem.slice(0, read)) + extension;
}
