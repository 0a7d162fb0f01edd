/**
 * Returns whether a file matches the `accept` of a file input: extensions (`.pdf`), types (`image/png`) or groups of
 * types (`image/*`). The browser checks `accept` only in its dialog, not for dropped files.
 */
export function isAccepted({ name, type }: { readonly name: string; readonly type: string }, accept: string): boolean {
  const wanted = accept
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter(Boolean);
  if (wanted.length === 0) return true;
  return wanted.some((one) => {
    if (one.startsWith('.')) return name.toLowerCase().endsWith(one);
    if (one.endsWith('/*')) return type.toLowerCase().startsWith(one.slice(0, -1));
    return type.toLowerCase() === one;
  });
}
