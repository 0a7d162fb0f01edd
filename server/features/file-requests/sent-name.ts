import { cutText } from '#server/domain/cut-text.ts';
import { extensionOfName } from '#server/features/files/file-type.ts';
import { readableLine } from '#server/domain/readable-line.ts';
import { withoutNameEnd } from '#server/domain/without-name-end.ts';

/** Folders above a sent file. */
const maxFolders = 20;

/** With the prefix, the folder of a sender and what Cubby adds, a key has at most 1024 bytes. */
const maxPathBytes = 600;
const maxSegmentBytes = 200;
const maxFolderBytes = 120;

/** What a filename must be, for one that {@link sentPath} cannot use. */
export const sentNameRule =
  'A filename needs a character besides dots, blanks and control characters behind its last slash. With its ' +
  `folders, at most ${maxFolders} of them, it takes up to ${maxPathBytes} bytes.`;

/**
 * Returns the path of a sent file below the folder that it is put into: the segments of a filename that can be part of
 * a key, joined by slashes. Undefined if nothing is left, or too much.
 *
 * Browsers send `photos/beach.jpg` for a file of a chosen folder. Programs may send anything.
 */
export function sentPath(filename: string): string | undefined {
  const segments = filename
    .split(/[/\\]/)
    .map(segmentOf)
    .filter((segment) => segment !== '');
  const path = segments.join('/');
  if (segments.length === 0 || segments.length > maxFolders + 1 || Buffer.byteLength(path) > maxPathBytes)
    return undefined;
  // The last text names a file, so a path that ends in a slash names none.
  return /[/\\]$/.test(filename) ? undefined : path;
}

/** Returns the name of a sender's folder. */
export function senderFolder(name: string): string {
  return withoutNameEnd(cutText(segmentOf(name.replace(/[/\\]/g, '-')), maxFolderBytes)) || 'Sender';
}

/**
 * Some systems drop dots and blanks at the end of a name, so that `a.exe.` would be a program there. A segment of dots
 * alone leads elsewhere.
 */
function segmentOf(text: string): string {
  const line = withoutNameEnd(readableLine(text.normalize('NFC')));
  if (Buffer.byteLength(line) <= maxSegmentBytes) return line;
  const ending = endingOf(line);
  const kept = Buffer.byteLength(ending) < maxSegmentBytes / 2 ? ending : '';
  return withoutNameEnd(cutText(line, maxSegmentBytes - Buffer.byteLength(kept)) + kept);
}

/** Returns the extension of a name as it is spelt, with its dot. Empty without one. */
export function endingOf(name: string): string {
  const extension = extensionOfName(name);
  return extension === undefined || extension === '' ? '' : name.slice(-(extension.length + 1));
}

/** How many numbers are tried before a random text. */
const maxNumbers = 20;

/**
 * Returns the first free name: `beach.jpg`, `beach (2).jpg`, `beach (3).jpg`.
 *
 * @param random used for the name when many are taken
 */
export async function freeName(
  name: string,
  isTaken: (name: string) => Promise<boolean>,
  random: () => string,
): Promise<string> {
  if (!(await isTaken(name))) return name;
  const ending = endingOf(name.slice(name.lastIndexOf('/') + 1));
  const base = name.slice(0, name.length - ending.length);
  for (let number = 2; number <= maxNumbers; number++) {
    const numbered = `${base} (${number})${ending}`;
    if (!(await isTaken(numbered))) return numbered;
  }
  return `${base} (${random()})${ending}`;
}
