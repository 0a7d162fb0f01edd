import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { root, sourceFiles } from '#test/architecture/imports.ts';
import { contract } from '#test/support/contract.ts';

/** A regular expression and its place. */
export interface Found {
  readonly where: string;
  readonly expression: RegExp;
}

/** Each regular expression literal of the server. */
export function literals(): Found[] {
  return serverFiles().flatMap((file) =>
    nodesOf(file)
      .filter(ts.isRegularExpressionLiteral)
      .map((node) => {
        const [, source = '', flags] = /^\/([^]*)\/([a-z]*)$/.exec(node.text)!;
        return {
          where: `${file}:${node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1}`,
          expression: new RegExp(source, flags),
        };
      }),
  );
}

/** The number of regular expressions that each server file builds from texts. */
export function builtIn(): Record<string, number> {
  const counts = serverFiles().map(
    (file) =>
      [
        file,
        nodesOf(file).filter((node) => ts.isNewExpression(node) && node.expression.getText() === 'RegExp').length,
      ] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Each pattern of the contract, which the server compiles with the flag `u`. */
export function patterns(): Found[] {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('pattern' in node && typeof node.pattern === 'string') found.add(node.pattern);
    for (const child of Object.values(node)) walk(child);
  };
  walk(contract);
  return [...found].map((pattern) => ({
    where: `the contract's pattern ${pattern}`,
    expression: new RegExp(pattern, 'u'),
  }));
}

function serverFiles(): string[] {
  return sourceFiles().filter((file) => file.startsWith('server/'));
}

function nodesOf(file: string): ts.Node[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const nodes: ts.Node[] = [];
  const walk = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, walk);
  };
  walk(source);
  return nodes;
}
