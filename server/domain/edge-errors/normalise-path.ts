import { cutText } from '../cut-text.ts';
import { isId } from './path-ids.ts';

/** Of UTF-8. */
const maxPathBytes = 256;

/**
 * Stands for a request line that named no path, such as `OPTIONS *`, or a TLS handshake on an HTTP port; edges log such
 * a thing as 400.
 */
const noPath = '-';

/**
 * Names a path as it is counted: without query and fragment, ids as `:id`, at most 256 bytes. What it answers for its
 * own answer is the same. Too much becomes `:id` rather than too little: a path may hold what opens something.
 *
 * @param target what stood in the request line: a path with or without query, or a whole URL as proxies send it
 */
export function normalisePath(target: string): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
  const path = target.replace(authority, '').replace(/[?#].*$/s, '');
  if (!path.startsWith('/')) return path === '' && authority.test(target) ? '/' : noPath;
  const readable = /[^!-~]/.test(path)
    ? path.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '\ufffd')
    : path;
  let named = joined(readable.split('/'), '/', withoutId);
  // What the cut leaves of a segment may be an id where the whole was none.
  for (let short = cutText(named, maxPathBytes); short !== named; short = cutText(named, maxPathBytes))
    named = `${short.slice(0, short.lastIndexOf('/') + 1)}${withoutId(short.slice(short.lastIndexOf('/') + 1))}`;
  return named;
}

/** Parts, each as it is named, as far as anything of them can be left behind the cut: anybody may send thousands. */
function joined(parts: readonly string[], separator: string, name: (part: string, index: number) => string): string {
  let text = '';
  for (let index = 0; index < parts.length && text.length <= maxPathBytes; index++)
    text += (index === 0 ? '' : separator) + name(parts[index]!, index);
  return text;
}

/**
 * A segment with `:id` in place of what is an id in it, also before an extension (`123.json`) and as the value of a
 * parameter (`a;v=123`).
 */
function withoutId(segment: string): string {
  if (/^[a-z]*$/.test(segment)) return segment;
  const decoded = decode(segment);
  // In what is encoded nothing is replaced apart.
  if (decoded !== segment)
    return isId(decoded) || decoded.split('/').some((part) => !part.startsWith(withoutId(part))) ? ':id' : segment;
  return joined(segment.split(';'), ';', (part, index) =>
    index === 0 ? stemWithoutId(part) : parameterWithoutId(part),
  );
}

/**
 * A value goes, whatever it is; one that is empty, or that the cut left of `:id`, stays, so that cutting comes to an
 * end.
 */
function parameterWithoutId(parameter: string): string {
  const at = parameter.indexOf('=');
  if (at === -1) return stemWithoutId(parameter);
  const value = parameter.slice(at + 1);
  return `${stemWithoutId(parameter.slice(0, at))}=${':id'.startsWith(value) ? value : ':id'}`;
}

function stemWithoutId(stem: string): string {
  // The whole of it first: nothing of a token with points in it may stay. An address, or a name and a password before a
  // host, is one as well.
  if (isId(stem) || /[^@]@[^@]/.test(stem)) return ':id';
  return joined(stem.split('.'), '.', (piece, index) => (holdsId(piece, index) ? ':id' : piece));
}

/** Short numbers behind a point are versions: `jquery-3.7.1.js`. */
function holdsId(piece: string, index: number): boolean {
  if (index > 0 && /^[0-9]{1,3}$/.test(piece)) return false;
  return piece.split(/[:=@,]/).some(isId);
}

/** ASCII alone, which is what ids are made of; as often as it was encoded. */
function decode(segment: string): string {
  let text = segment;
  for (let times = 0; times < 5 && text.includes('%'); times++) {
    text = text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return text;
}
