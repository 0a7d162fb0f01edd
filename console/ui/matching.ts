/**
 * Returns the entries that contain each word of a text, those first that begin with it. Case and accents do not count.
 */
export function matching<Entry extends { readonly label: string }>(entries: readonly Entry[], text: string): Entry[] {
  const wanted = plain(text).split(/\s+/).filter(Boolean);
  const found = entries.filter(({ label }) => wanted.every((word) => plain(label).includes(word)));
  const begins = ({ label }: Entry) => (plain(label).startsWith(wanted[0] ?? '') ? 0 : 1);
  return found.toSorted((a, b) => begins(a) - begins(b));
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
