/** Drops fields that are null or missing: in a request both mean the same. */
export function given<T extends object>(fields: { readonly [K in keyof T]: T[K] | null | undefined }): Partial<T> {
  const kept: Partial<T> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== null && value !== undefined) kept[name] = value as T[typeof name];
  }
  return kept;
}
