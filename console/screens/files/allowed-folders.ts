/**
 * Returns the folders that lead to those that a restricted key may use; undefined if it may list this folder itself.
 * The server lists nothing above them.
 *
 * @param prefixes of the session, without trailing slashes; null for a key without restriction
 * @param place a folder that ends in a slash, or empty
 */
export function allowedFolders(prefixes: readonly string[] | null, place: string): string[] | undefined {
  if (prefixes === null || prefixes.some((prefix) => place.startsWith(`${prefix}/`))) return undefined;
  const next = prefixes
    .filter((prefix) => prefix.startsWith(place))
    .map((prefix) => `${place}${prefix.slice(place.length).split('/')[0]}/`);
  return [...new Set(next)].sort();
}
