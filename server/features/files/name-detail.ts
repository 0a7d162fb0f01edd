import type { StoredObject } from './object.ts';

/** Returns the detail of an activity that has the name under which people see a file. Empty if its key ends in it. */
export function nameDetail({ key, originalName }: Pick<StoredObject, 'key' | 'originalName'>): {
  readonly original_name?: string;
} {
  const isInKey = !originalName || key.slice(key.lastIndexOf('/') + 1) === originalName;
  return isInKey ? {} : { original_name: originalName };
}
