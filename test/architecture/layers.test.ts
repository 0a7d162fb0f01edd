import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { importsOf, lateImportsOf, root, sourceFiles } from './imports.ts';
import { layers, reserved } from './layers.ts';

const files = sourceFiles();

function layerOf(file: string) {
  return layers.find((layer) => layer.files.some((start) => file.startsWith(start)));
}

/**
 * Whether a pattern matches an import. One that ends in `/` or `:` matches everything below it. Any other matches only
 * that file or package.
 */
function fits(target: string, pattern: string): boolean {
  return /[/:]$/.test(pattern) ? target.startsWith(pattern) : target === pattern || target.startsWith(`${pattern}/`);
}

/** Returns an error for each import that the layer of a file does not allow. */
function forbidden(file: string, imports: readonly string[]): string[] {
  const layer = layerOf(file);
  if (!layer) return [`${file} is in no layer`];
  const strangers = imports.filter((target) => !layer.may.some((pattern) => fits(target, pattern)));
  const taken = imports.filter((target) =>
    reserved.some((one) => one.file === target && !one.only.some((start) => file.startsWith(start))),
  );
  return [...new Set([...strangers, ...taken])].map((target) => `${file} must not import ${target}`);
}

describe('the layers', () => {
  it("cover every file, and no file imports outside its layer's rules", () => {
    expect(files.length).toBeGreaterThan(80);
    expect(files.flatMap((file) => forbidden(file, importsOf(file)))).toEqual([]);
  });

  it('have no cycle', () => {
    // A manifest loads some parts late, once everything that they import is there.
    const lateParts = (file: string) =>
      /^server\/features\/[^/]+\/feature\.ts$/.test(file) ? lateImportsOf(file) : [];
    const graph = new Map(
      files.map((file) => {
        const late = lateParts(file);
        return [file, importsOf(file).filter((target) => files.includes(target) && !late.includes(target))];
      }),
    );
    const cycles: string[] = [];
    const done = new Set<string>();
    const walk = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
      done.add(file);
    };
    for (const file of files) walk(file, []);
    expect(cycles).toEqual([]);
  });

  it('are enforced', () => {
    const imports = (text: string, file: string) => importsOf(file, text);
    const domain = 'server/features/files/new.ts';
    expect(forbidden(domain, imports("import { x } from '#server/stores/tables/rows.ts';", domain))).toHaveLength(1);
    expect(forbidden(domain, imports("const x = await import('node:fs');", domain))).toHaveLength(1);
    const smaller = 'server/features/chat/tokens/new.ts';
    expect(forbidden(smaller, imports("import { x } from '#server/stores/tables/rows.ts';", smaller))).toHaveLength(1);
    expect(forbidden(smaller, imports("import { x } from '#server/http/reply.ts';", smaller))).toHaveLength(1);
    expect(
      forbidden('server/handlers/x.ts', imports("export { y } from '../doors/door.ts';", 'server/handlers/x.ts')),
    ).toHaveLength(1);
    expect(forbidden('server/utils/x.ts', [])).toEqual(['server/utils/x.ts is in no layer']);
  });

  it('leave the environment to config.ts', () => {
    // Only the two entries pass process.env on. No other file may name it.
    const others = files.filter(
      (file) => file.startsWith('server/') && !['server/main.js', 'server/cli/main.js'].includes(file),
    );
    expect(others.filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'))).toEqual([]);
  });
});
