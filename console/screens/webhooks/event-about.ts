import { shownPath, type Named } from '../../files/shown-name.ts';
import { plainName } from '../../ui/plain-text.ts';

/**
 * Returns the name of what an event is about, as it may be shown: that of a file, or else the first text within its
 * data, the id of an object before others.
 */
export function aboutOf(data: Readonly<Record<string, unknown>>): string {
  return plainName(nameIn(data));
}

function nameIn(data: Readonly<Record<string, unknown>>): string {
  const { object } = data;
  if (isFile(object)) return shownPath(object);
  for (const name of ['objectId', 'object_id', 'key', 'path', 'name', 'branch', 'id']) {
    const found = within(data, name);
    if (found !== undefined) return found;
  }
  return '';
}

function isFile(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && 'original_name' in value && 'id' in value;
}

function within(data: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const own = data[name];
  if (typeof own === 'string') return own;
  for (const value of Object.values(data)) {
    const inner = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
    if (typeof inner === 'string') return inner;
  }
  return undefined;
}
