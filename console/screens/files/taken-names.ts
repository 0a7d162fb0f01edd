import type { ObjectEntry } from '#dist/modules/client/index.js';

import { freeName, sameForm, type ExistingFiles } from './existing-files.ts';
import type { FoundFile } from './uploads.ts';

/** What is done with files whose names are taken. */
export type Choice = 'replace' | 'both' | 'skip';

/** A file that a person uploads, and its folder: empty, or ending in `/`. */
export interface PlacedFile {
  readonly found: FoundFile;
  readonly folder: string;
  /** Whether an earlier page has stored it. */
  readonly isStored: boolean;
}

/** Returns the files that people know by its name in its folder, whatever their keys. */
export function takenBy({ found, folder }: PlacedFile, existing: ExistingFiles): readonly ObjectEntry[] {
  return existing.get(folder)?.get(sameForm(found.file.name)) ?? [];
}

/** Returns the files whose names are taken. One that an earlier page has stored does not meet itself. */
export function metNames(placed: readonly PlacedFile[], existing: ExistingFiles): PlacedFile[] {
  return placed.filter((one) => !isStoredThere(one, existing) && takenBy(one, existing).length > 0);
}

function isStoredThere(one: PlacedFile, existing: ExistingFiles): boolean {
  return one.isStored && takenBy(one, existing).some(({ size }) => size === one.found.file.size);
}

/**
 * Returns what to upload after a choice.
 *
 * @param keepDays for how many days the trash keeps what is replaced
 */
export function chosenUploads(
  placed: readonly PlacedFile[],
  existing: ExistingFiles,
  { choice, keepDays }: { readonly choice: Choice; readonly keepDays: number },
): FoundFile[] {
  const met = new Set(metNames(placed, existing));
  const coming = new Set(placed.map(({ folder, found }) => `${folder}${sameForm(found.file.name)}`));
  return placed.flatMap((one): FoundFile[] => {
    const { found, folder } = one;
    // What is no longer there has to be sent again.
    if (!met.has(one)) return [{ ...found, isGone: one.isStored && !isStoredThere(one, existing) }];
    if (choice === 'skip') return [];
    if (choice === 'replace') return [{ ...found, replaced: { files: takenBy(one, existing), keepDays } }];
    const isTaken = (name: string) => coming.has(`${folder}${name}`) || existing.get(folder)!.has(name);
    const name = freeName(found.file.name, isTaken);
    coming.add(`${folder}${sameForm(name)}`);
    const { type, lastModified } = found.file;
    return [{ file: new File([found.file], name, { type, lastModified }), path: found.path.replace(/[^/]*$/, name) }];
  });
}
