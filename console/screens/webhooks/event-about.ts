/** Returns the name of what an event is about: the first text within its data, the id of an object before others. */
export function aboutOf(data: Readonly<Record<string, unknown>>): string {
  for (const name of ['objectId', 'object_id', 'key', 'path', 'name', 'branch', 'id']) {
    const found = within(data, name);
    if (found !== undefined) return found;
  }
  return '';
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
