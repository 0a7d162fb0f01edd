import { signal } from '@preact/signals';

import type { Place } from './place.ts';

/** An upload that a reload of the page has ended, or that was stored before it. The bytes of its file are not kept. */
export interface Interrupted {
  readonly place: Place;
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
  readonly isStored: boolean;
}

/** Only the tab itself keeps it, so that names of files do not stay in the browser. */
const name = 'cubby.interrupted-uploads';

/** What an earlier page of this tab had not finished. */
export const interrupted = signal<readonly Interrupted[]>(read());

/** Keeps the uploads for the next page of this tab. */
export function keepInterrupted(uploads: readonly Interrupted[]): void {
  try {
    if (uploads.every(({ isStored }) => isStored)) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(uploads));
  } catch {
    // The browser forbids it or has no room. The files can be uploaded anew.
  }
}

/**
 * Returns the upload that a file continues, and removes it from the list. The files of a folder are chosen again
 * together, and what is stored is not sent again.
 */
export function takeInterrupted(place: Place, path: string, file: File): Interrupted | undefined {
  const found = interrupted
    .peek()
    .find(
      (one) =>
        one.path === path &&
        one.place.prefix === place.prefix &&
        one.place.space === place.space &&
        one.sizeBytes === file.size &&
        one.modifiedAtMs === file.lastModified,
    );
  if (found) interrupted.value = interrupted.peek().filter((one) => one !== found);
  return found;
}

function read(): readonly Interrupted[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? '[]');
    sessionStorage.removeItem(name);
    return Array.isArray(kept) ? (kept as Interrupted[]) : [];
  } catch {
    return [];
  }
}
