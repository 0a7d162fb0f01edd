/**
 * Prints `paths:` of the contract: an address for each file below `openapi/paths/`, which is named as its address.
 * Addresses keep their order, which is that of the documentation. A new one comes behind its nearest relative.
 *
 * @param files their names from that folder, with forward slashes
 * @param before what was printed before
 */
export function printPaths(files: readonly string[], before: string): string {
  const wanted = files.map((file) => `/${file.replace(/\.yaml$/, '')}`);
  const known = [...before.matchAll(/^(\/\S*): /gm)].map(([, path]) => path!);
  const paths = known.filter((path) => wanted.includes(path));
  for (const path of wanted.filter((one) => !known.includes(one)).sort()) {
    const shared = paths.map((other) => sharedSegments(path, other));
    paths.splice(shared.lastIndexOf(Math.max(...shared)) + 1, 0, path);
  }
  const lines = paths.map((path) => `${path}: { $ref: 'paths${path}.yaml' }\n`);
  return `# \`npm run generate\` adds the files of paths/ here, and removes what is gone. Their order is yours.\n${lines.join('')}`;
}

/** Counts the segments with which both addresses begin. */
function sharedSegments(one: string, other: string): number {
  const [left, right] = [one.split('/'), other.split('/')];
  const end = left.findIndex((segment, at) => segment !== right[at]);
  return end === -1 ? left.length : end;
}
