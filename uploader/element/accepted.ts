/**
 * Whether a file fits the `accept` of a file input: endings (`.pdf`), types (`image/png`), groups of types (`image/*`).
 * The browser looks at it only in its dialog, not when files are dropped.
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
