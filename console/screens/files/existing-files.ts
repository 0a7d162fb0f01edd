import type { ObjectEntry } from '#dist/modules/client/index.js';

import { keyOf, nameOf } from '../../files/object-id.ts';
import { ownName, type Named } from '../../files/shown-name.ts';
import { listPage } from './load-page.ts';

/** Pages of a folder that are looked through for names. */
const mostPages = 10;

/** The files of some folders, by folder and by the name that people see. A folder is empty, or ends in `/`. */
export type ExistingFiles = ReadonlyMap<string, ReadonlyMap<string, readonly ObjectEntry[]>>;

/** Lists the files of folders, as far as a few requests tell. @throws {ApiError} */
export async function existingFiles(folders: Iterable<string>, signal: AbortSignal): Promise<ExistingFiles> {
  const existing = new Map<string, Map<string, ObjectEntry[]>>();
  for (const folder of new Set(folders)) {
    const byName = new Map<string, ObjectEntry[]>();
    existing.set(folder, byName);
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page++) {
      const query = { prefix: folder, delimiter: '/', fields: 'original_name', ...(cursor && { cursor }) } as const;
      const { objects, continuationToken } = await listPage(query, signal);
      for (const file of objects) {
        const name = seenName(file);
        byName.set(name, [...(byName.get(name) ?? []), file]);
      }
      cursor = continuationToken;
      if (cursor === undefined) break;
    }
  }
  return existing;
}

/** Returns the name under which people may know a file: its own, or else its key without what Cubby has added. */
export function seenName(file: Named): string {
  const ofKey = nameOf(keyOf(file.id)).replace(/(?:_[a-z0-9]{16})?(?:-ex\d+h?)?(?=(?:\.[a-z0-9]{1,16}){0,2}$)/, '');
  return sameForm(ownName(file) || ofKey);
}

/** Returns a name in the form in which names are compared. Some systems write an accent as a character of its own. */
export function sameForm(name: string): string {
  return name.normalize('NFC');
}

/** Returns the first name of `a (2).txt`, `a (3).txt` and so on that is free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const [, stem = name, extension = ''] =
    /^(.+?)(\.[a-z0-9]{1,16}\.(?:gz|bz2|xz|zst|br|lz4)|\.[^.]*)$/i.exec(name) ?? [];
  for (let number = 2; ; number++) {
    const free = `${stem} (${number})${extension}`;
    if (!isTaken(sameForm(free))) return free;
  }
}
