/**
 * Returns a name without dots and white space at its end, which some systems drop: `a.exe.` would be a program there,
 * and `..` the folder above. A loop, because a regular expression would be quadratic.
 */
export function withoutNameEnd(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1]!.trim() === '')) end--;
  return name.slice(0, end);
}
