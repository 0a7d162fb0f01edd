/**
 * Joins programs in Go into one that runs the program named by its argument, because linking each would take minutes.
 * The sources stay as they are, except for the name of `main` and the imports, which become one list.
 */
export function goProgram(sources: ReadonlyMap<string, string>): string {
  const imports = new Set<string>(['os']);
  const functions: string[] = [];
  for (const [id, source] of sources) {
    const [, list, rest] = /^package main\n\nimport \(\n([^]*?)\n\)\n\n([^]*)$/.exec(source)!;
    for (const [, name] of list!.matchAll(/"([^"]+)"/g)) imports.add(name!);
    functions.push(rest!.replace('func main()', `func ${id}()`));
  }
  const cases = [...sources.keys()].map((id) => `\tcase "${id}":\n\t\t${id}()`);
  const head = [...imports].toSorted().map((name) => `\t"${name}"`);
  return `package main

import (
${head.join('\n')}
)

func main() {
\tswitch os.Args[1] {
${cases.join('\n')}
\t}
}

${functions.join('\n\n')}
`;
}
