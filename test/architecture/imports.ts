import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import ts from 'typescript';

export const root = join(import.meta.dirname, '../..');

const folders = 'server,generated,uploader,console,openapi,mocks,test,bench';

/** Returns every source file of the project, as a path from the root. */
export function sourceFiles(): string[] {
  const found = globSync([`{${folders}}/**/*.{ts,tsx,mjs,js}`, '*.ts'], { cwd: root, exclude: ['**/node_modules/**'] });
  return found.filter((file) => !file.endsWith('.d.ts')).sort();
}

/** Returns the static and dynamic imports of a file: paths from the root, `npm:package`, `node:module`. */
export function importsOf(file: string, text = readFileSync(join(root, file), 'utf8')): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => targetOf(file, fileName));
}

/** Returns the files that a file imports with `import()`. */
export function lateImportsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, specifier]) => targetOf(file, specifier!));
}

function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier));
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('node:')) return specifier;
  const [scope, name] = specifier.split('/');
  return `npm:${scope!.startsWith('@') ? `${scope}/${name}` : scope}`;
}
