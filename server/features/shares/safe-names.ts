import { nextTurn } from '#server/event-loop.ts';
import { programEnding } from '#server/features/files/file-type.ts';
import { withoutNameEnd } from '#server/domain/without-name-end.ts';

/** Bytes of one name of a path. Most file systems allow 255. */
const maxNameBytes = 240;

/** Names that are made safe before other requests run: a few milliseconds. */
const namesAtOnce = 500;

/** Control characters, also those that change the direction of text, which can disguise the extension of a name. */
const hidden = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;

/** Characters that Windows does not allow in names, or that name a drive, a folder or a stream there. */
const forbidden = /[<>:"|?*\\]/g;

/**
 * Names of devices on Windows, also with an extension, and with blanks before it.
 *
 * @see https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
 */
const device = /^(con|conin\$|conout\$|clock\$|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/**
 * Returns the path under which an archive holds a file. It is relative, leads nowhere else, and can be unpacked on
 * usual systems. A path that ends in `/` stays a folder.
 *
 * @returns empty if nothing of a folder's path is left
 */
export function safePath(path: string): string {
  const names = path
    .split('/')
    .map(safeName)
    .filter((name) => name !== '');
  if (path.endsWith('/')) return names.length > 0 ? `${names.join('/')}/` : '';
  const safe = names.length > 0 ? names.join('/') : 'file';
  // A name that was made safe is no program if it was none before.
  return programEnding(safe) !== undefined && programEnding(path) === undefined ? `${safe}_` : safe;
}

function safeName(name: string): string {
  const printable = name.toWellFormed().replace(hidden, '').replace(forbidden, '_');
  const short = shortened(printable);
  const kept = withoutNameEnd(short);
  const trimmed = (kept === '' || kept === short ? kept : `${kept}_`).trimStart();
  return device.test(trimmed) ? `_${trimmed}` : trimmed;
}

/** Cuts a long name before its extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  const { stem, extension } = partsOf(name);
  let cut = stem;
  while (Buffer.byteLength(cut + extension) > maxNameBytes && cut !== '') cut = [...cut].slice(0, -8).join('');
  return cut === '' ? 'file' : cut + extension;
}

/** An extension has at most 16 bytes, so that a long text behind a dot is none. */
function partsOf(name: string): { readonly stem: string; readonly extension: string } {
  const at = name.lastIndexOf('.');
  const isExtension = at > 0 && Buffer.byteLength(name.slice(at)) <= 16;
  return isExtension ? { stem: name.slice(0, at), extension: name.slice(at) } : { stem: name, extension: '' };
}

/** Many systems do not tell upper from lower case, nor an accented letter from a letter and its accent. */
function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * Makes safe paths unique, in their order: `name (2).ext`. A file that has the name of a folder gets another name too.
 * Folders of the same name are one.
 */
export async function uniquePaths(paths: readonly string[]): Promise<string[]> {
  const taken = new Set<string>();
  for (const [at, path] of paths.entries()) {
    if (at % namesAtOnce === namesAtOnce - 1) await nextTurn();
    const key = folded(path);
    for (let slash = key.indexOf('/'); slash !== -1; slash = key.indexOf('/', slash + 1))
      taken.add(key.slice(0, slash));
  }
  const unique: string[] = [];
  /** The next number of each name that was taken, so that a thousand equal names are not compared with each other. */
  const next = new Map<string, number>();
  for (const [at, path] of paths.entries()) {
    if (at % namesAtOnce === namesAtOnce - 1) await nextTurn();
    unique.push(path.endsWith('/') ? path : uniquePath(path, taken, next));
  }
  return unique;
}

function uniquePath(path: string, taken: Set<string>, next: Map<string, number>): string {
  const key = folded(path);
  let found = path;
  let foundKey = key;
  if (taken.has(key)) {
    const slash = path.lastIndexOf('/') + 1;
    const { stem, extension } = partsOf(path.slice(slash));
    let number = next.get(key) ?? 2;
    do {
      found = `${path.slice(0, slash)}${stem} (${number++})${extension}`;
      foundKey = folded(found);
    } while (taken.has(foundKey));
    next.set(key, number);
  }
  taken.add(foundKey);
  return found;
}
