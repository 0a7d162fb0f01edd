import { cutText } from '#server/domain/cut-text.ts';
import { isId } from './path-ids.ts';

/** In UTF-8. */
const maxPathBytes = 256;

/** Stands for a request without a path, such as `OPTIONS *` or a TLS handshake on an HTTP port, logged as 400. */
const noPath = '-';

/**
 * Returns a path as it is counted: without query and fragment, with `:id` for ids, at most 256 bytes. It is idempotent.
 * In doubt a part becomes `:id`, because a path may contain a secret.
 *
 * @param target the target of the request line: a path with or without query, or a whole URL as proxies send it
 */
export function normalisePath(target: string): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
  const path = target.replace(authority, '').replace(/[?#].*$/s, '');
  if (!path.startsWith('/')) return path === '' && authority.test(target) ? '/' : noPath;
  const readable = /[^!-~]/.test(path)
    ? path.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '\ufffd')
    : path;
  let named = joined(readable.split('/'), '/', withoutId);
  // A cut segment may look like an id even if the whole one did not.
  for (let short = cutText(named, maxPathBytes); short !== named; short = cutText(named, maxPathBytes))
    named = `${short.slice(0, short.lastIndexOf('/') + 1)}${withoutId(short.slice(short.lastIndexOf('/') + 1))}`;
  return named;
}

/** Joins the named parts, up to the length of the cut, because a client may send thousands of parts. */
function joined(parts: readonly string[], separator: string, name: (part: string, index: number) => string): string {
  let text = '';
  for (let index = 0; index < parts.length && text.length <= maxPathBytes; index++)
    text += (index === 0 ? '' : separator) + name(parts[index]!, index);
  return text;
}

/** Replaces ids in a segment by `:id`, even before an extension (`123.json`) and in parameters (`a;v=123`). */
function withoutId(segment: string): string {
  if (/^[a-z]*$/.test(segment)) return segment;
  const decoded = decode(segment);
  // An encoded segment is replaced as a whole or not at all.
  if (decoded !== segment)
    return isId(decoded) || decoded.split('/').some((part) => !part.startsWith(withoutId(part))) ? ':id' : segment;
  return joined(segment.split(';'), ';', (part, index) =>
    index === 0 ? stemWithoutId(part) : parameterWithoutId(part),
  );
}

/** Replaces the value of a parameter by `:id`. An empty value and a cut `:id` stay, so that repeated cutting ends. */
function parameterWithoutId(parameter: string): string {
  const at = parameter.indexOf('=');
  if (at === -1) return stemWithoutId(parameter);
  const value = parameter.slice(at + 1);
  return `${stemWithoutId(parameter.slice(0, at))}=${':id'.startsWith(value) ? value : ':id'}`;
}

function stemWithoutId(stem: string): string {
  // The whole text is checked first, so that no part of a token with dots stays. An e-mail address, and a name with a
  // password before a host, are replaced too.
  if (isId(stem) || /[^@]@[^@]/.test(stem)) return ':id';
  return joined(stem.split('.'), '.', (piece, index) => (holdsId(piece, index) ? ':id' : piece));
}

/** Whether a piece contains an id. Short numbers after a dot are versions, not ids: `jquery-3.7.1.js`. */
function holdsId(piece: string, index: number): boolean {
  if (index > 0 && /^[0-9]{1,3}$/.test(piece)) return false;
  return piece.split(/[:=@,]/).some(isId);
}

/** Decodes percent-encoded ASCII, even if it was encoded several times. Ids are made of ASCII. */
function decode(segment: string): string {
  let text = segment;
  for (let times = 0; times < 5 && text.includes('%'); times++) {
    text = text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return text;
}
