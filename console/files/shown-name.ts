import { plainName } from '../ui/plain-text.ts';
import { keyOf, nameOf } from './object-id.ts';

/** The part of a file that its name comes from. */
export interface Named {
  readonly id: string;
  /** Absent if it was not requested. */
  readonly original_name?: string | null;
}

/**
 * Returns the name that a file was uploaded with, or was given later, without the folders that some programs send. Empty
 * if it has none.
 */
export function ownName({ original_name: original }: Pick<Named, 'original_name'>): string {
  return original?.split(/[/\\]/).at(-1) ?? '';
}

/** Returns the name of a file as it is edited: its own, or else the end of its key. */
export function editedName(file: Named): string {
  const own = ownName(file);
  // Nobody could press a name that shows nothing.
  return /[^\p{C}\p{Z}]/u.test(own) ? own : nameOf(keyOf(file.id));
}

/** Returns the same as it may be shown anywhere: it turns no text around, and is one line. */
export function shownName(file: Named): string {
  return plainName(editedName(file));
}

/** Returns the folders of a file and its name, as they may be shown anywhere. */
export function shownPath(file: Named): string {
  return plainName(keyOf(file.id).replace(/[^/]*\/?$/, '')) + shownName(file);
}
