import { signal } from '@preact/signals';

import { session } from '../../app/session-state.ts';

/** An upload that ended with its page, or that was stored before. The bytes of its file are not kept. */
interface Interrupted {
  readonly prefix: string;
  readonly isPublic: boolean;
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
  readonly isStored: boolean;
}

/** Only the tab itself keeps it, so that names of files do not stay in the browser. */
const name = 'cubby.interrupted-uploads';

/** What an earlier page of this tab had not finished. */
export const interrupted = signal<readonly Interrupted[]>(read());

/** What is kept, with the key that was signed in. Nobody else may read these names or count on these files. */
interface Kept {
  readonly keyId: string;
  readonly uploads: readonly Interrupted[];
}

/** Keeps the uploads for the next page of this tab. After a sign-out it keeps nothing. */
export function keepInterrupted(uploads: readonly Interrupted[]): void {
  const keyId = session.peek()?.key.id;
  try {
    if (keyId === undefined || uploads.every(({ isStored }) => isStored)) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify({ keyId, uploads } satisfies Kept));
  } catch {
    // The browser forbids it or has no space. The files can be uploaded anew.
  }
}

/** Returns whether an earlier page has stored a file. */
export function isStoredBefore(prefix: string, path: string, file: File): boolean {
  return find(prefix, path, file)?.isStored === true;
}

/**
 * Returns the upload that a file continues, and removes it from the list. The files of a folder are chosen again
 * together, and what is stored is not sent again.
 */
export function takeInterrupted(prefix: string, path: string, file: File): Interrupted | undefined {
  const found = find(prefix, path, file);
  if (found) interrupted.value = interrupted.peek().filter((one) => one !== found);
  return found;
}

function find(prefix: string, path: string, file: File): Interrupted | undefined {
  return interrupted
    .peek()
    .find(
      (one) =>
        one.path === path &&
        one.prefix === prefix &&
        one.sizeBytes === file.size &&
        one.modifiedAtMs === file.lastModified,
    );
}

function read(): readonly Interrupted[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(name) ?? 'null') as Kept | null;
    sessionStorage.removeItem(name);
    return kept?.keyId === session.peek()?.key.id ? (kept?.uploads ?? []) : [];
  } catch {
    return [];
  }
}
