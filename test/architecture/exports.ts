import { dirname, join, matchesGlob, normalize } from 'node:path';

/** An import: the file that is imported, with `*` for any name, and a name, or `*` for the module as a whole. */
interface Import {
  readonly from: string;
  readonly name: string;
}

/** Returns the path of what a file imports: of the source, if it names a built module. */
function targetOf(file: string, specifier: string): string {
  const path = specifier.startsWith('#') ? specifier.slice(1) : normalize(join(dirname(file), specifier));
  return path
    .replace(/^dist\/modules\/(uploader\/.*)\.js$/, '$1.ts')
    .replace(/^dist\/modules\/mocks\/(.*)\.js$/, 'mocks/consumer/$1.ts');
}

/** Returns the names in braces: of `a as b` the first or the last. */
function namesIn(braces: string, at: 0 | -1): string[] {
  const names = braces.split(',').map((one) => one.trim().replace(/^type /, ''));
  return names.filter((one) => one !== '').map((one) => one.split(' as ').at(at)!);
}

function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  for (const [, clause, specifier] of text.matchAll(/^ *(?:import|export) ([^'";`()]*?) ?from '([.#][^']+)'/gm)) {
    const from = targetOf(file, specifier!);
    const [, braces = ''] = /\{([^}]*)\}/.exec(clause!) ?? [];
    for (const name of namesIn(braces, 0)) found.push({ from, name });
    const [whole] = /^[\w*]+/.exec(clause!.replace(/^type /, '')) ?? [];
    if (whole) found.push({ from, name: whole === '*' ? '*' : 'default' });
  }
  for (const [, specifier] of text.matchAll(/(?:\bimport\(\s*|^declare module )['"`]([.#][^'"]*?)['"`]/gm))
    found.push({ from: targetOf(file, specifier!.replaceAll(/\$\{[^}]*\}/g, '*')), name: '*' });
  return found;
}

function exportsOf(text: string): string[] {
  const declared = /^export (?:abstract |async )*(?:function\*?|const|let|class|interface|type) ([\w$]+)/gm;
  const several = /^export (?:const |type )?[{[]([^}\]]*)[}\]]/gm;
  return [
    ...[...text.matchAll(declared)].map(([, name]) => name!),
    ...[...text.matchAll(several)].flatMap(([, braces]) => namesIn(braces!, -1)),
    ...(/^export default /m.test(text) ? ['default'] : []),
  ];
}

/** Returns how often a text has a name. */
export function timesOf(name: string, text: string): number {
  return text.split(new RegExp(`(?<![\\w$])${name.replace('$', '\\$')}(?![\\w$])`)).length - 1;
}

/**
 * Returns the exports that no other file imports, as `file: name`.
 *
 * A file that takes a module as a whole, or declares more of it, imports what it names. If that is nothing, it passes the
 * module on, and all of it counts as imported.
 *
 * @param files texts by their paths
 */
export function unusedExports(files: ReadonlyMap<string, string>): string[] {
  const exported = new Map([...files].map(([file, text]) => [file, exportsOf(text)]));
  const imported = new Set<string>();
  const takeWhole = (from: string, text: string): void => {
    const names = exported.get(from) ?? [];
    const named = names.filter((name) => timesOf(name, text) > 0);
    for (const name of named.length > 0 ? named : names) imported.add(`${from}: ${name}`);
  };
  for (const [file, text] of files)
    for (const { from, name } of importsOf(file, text))
      if (name !== '*') imported.add(`${from}: ${name}`);
      else if (!from.includes('*')) takeWhole(from, text);
      else for (const one of files.keys()) if (matchesGlob(one, from)) takeWhole(one, text);
  const places = [...exported].flatMap(([file, names]) => names.map((name) => `${file}: ${name}`));
  return places.filter((place) => !imported.has(place));
}
