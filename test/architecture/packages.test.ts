import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { folderOfGroup, packageGroups } from '#test/support/packages.ts';
import { importsOf, root, sourceFiles } from './imports.ts';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dependencies?: object; readonly resolved?: string }>>;
}
const readLock = (folder: string) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock;
const ownLock = readLock(root);
const grouped = [...packageGroups.values()].flatMap((packages) => Object.keys(packages));

describe.each([...packageGroups])('test/programs/%s', (group, packages) => {
  const { packages: locked } = readLock(folderOfGroup(group));

  it('has exact versions, which its lock file has too', () => {
    for (const version of Object.values(packages)) expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(locked['']!.dependencies).toEqual(packages);
  });

  it('names no registry', () => {
    expect(Object.values(locked).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('has no package that the project installs itself, or that another group has', () => {
    for (const name of Object.keys(packages)) {
      expect(ownLock.packages).not.toHaveProperty([`node_modules/${name}`]);
      expect(grouped.filter((other) => other === name)).toHaveLength(1);
    }
  });

  it('has a place in absent.d.ts for the types of each package', () => {
    const text = readFileSync(join(root, 'test/programs/absent.d.ts'), 'utf8');
    const patterns = [...text.matchAll(/^declare module '([^*]+)\*'/gm)].map(([, pattern]) => pattern!);
    const untyped = Object.keys(packages).filter((name) => !patterns.some((pattern) => name.startsWith(pattern)));
    expect(untyped.filter((name) => !name.startsWith('@types/'))).toEqual([]);
  });
});

const declarations = ['noPackage', 'needPackages', 'describeWith'];

/** Returns the packages that a file says it needs. */
function declaredIn(file: string, text: string): string[] {
  const found: string[] = [];
  if (!declarations.some((name) => text.includes(name))) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && declarations.includes(node.expression.getText()))
      for (const argument of node.arguments) if (ts.isStringLiteralLike(argument)) found.push(argument.text);
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** What a file needs and says. */
interface Facts {
  readonly imports: readonly string[];
  readonly declared: readonly string[];
}

const facts = new Map<string, Facts>();

/** Reads the imports of a file as it is run: those of types are gone. */
function factsOf(file: string, text?: string): Facts {
  const known = text === undefined ? facts.get(file) : undefined;
  if (known) return known;
  const source = text ?? read(file);
  const run = source.replaceAll(/^import type [^;]*;$/gm, '').replaceAll(/\bimport\('[^']+'\)\./g, '');
  const found = { imports: importsOf(file, run), declared: declaredIn(file, source) };
  if (text === undefined) facts.set(file, found);
  return found;
}

/** Returns what a test file imports, itself or through others of `test/`, although it does not say that it needs it. */
function undeclaredIn(file: string, text?: string): string[] {
  const [files, imported] = [new Map([[file, factsOf(file, text)]]), new Set<string>()];
  for (const { imports } of files.values())
    for (const target of imports) {
      imported.add(target);
      if (target.startsWith('test/') && !files.has(target) && existsSync(join(root, target)))
        files.set(target, factsOf(target));
    }
  const declared = [...files.values()].flatMap((one) => one.declared);
  return grouped.filter((name) => imported.has(`npm:${name}`) && !declared.includes(name));
}

it('every test that imports a package of test/programs/ says so, so that it is skipped where that is missing', () => {
  const found = sourceFiles()
    .filter((file) => file.startsWith('test/') && file.endsWith('.test.ts'))
    .flatMap((file) => undeclaredIn(file).map((name) => `${file}: ${name}`));
  expect(found, 'Call noPackage(), needPackages() or describeWith() of test/support/ with these names.').toEqual([]);
});

it('finds packages that are imported directly and through a file of the tests', () => {
  const text = `import type { A } from 'msw';
import OpenAI from 'openai';
import { openAiClient } from '#test/ai/clients.ts';`;
  expect(undeclaredIn('test/a.test.ts', text)).toEqual(['@ai-sdk/openai-compatible', '@langchain/openai', 'openai']);
  expect(undeclaredIn('test/a.test.ts', `${text}; noPackage('openai', '@langchain/openai');`)).toEqual([
    '@ai-sdk/openai-compatible',
  ]);
});
