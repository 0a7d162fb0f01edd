import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { importsOf, root, sourceFiles } from './imports.ts';
import { isOfUseCases } from './layers/features.ts';

/** The core's use cases, and those of the features. */
const files = sourceFiles().filter((file) => file.startsWith('server/domain/') || isOfUseCases(file));
const sources = new Map(files.map((file) => [file, parsed(file, readFileSync(join(root, file), 'utf8'))]));

function parsed(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

function nodesOf(node: ts.Node): ts.Node[] {
  return [node, ...node.getChildren().flatMap(nodesOf)];
}

/** Returns the tables that a file adds to `Tables` of ports/metadata.ts. */
function tablesOf(source: ts.SourceFile): string[] {
  const declared = nodesOf(source).filter((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'Tables');
  return declared.flatMap((node) => (node as ts.InterfaceDeclaration).members.map((member) => member.name!.getText()));
}

/** Returns the names in types, including the tables that a use case needs: `Reads<'objects' | 'accounts'>`. */
function literalTypesOf(source: ts.SourceFile): string[] {
  return nodesOf(source).flatMap((node) =>
    ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? [node.literal.text] : [],
  );
}

const homeOfTable = new Map(files.flatMap((file) => tablesOf(sources.get(file)!).map((table) => [table, file])));

/** Returns the domain files that a file depends on: its imports, and the files of the tables that it names. */
function restsOn(file: string): string[] {
  const tables = literalTypesOf(sources.get(file)!).map((name) => homeOfTable.get(name));
  return [...importsOf(file), ...tables].filter((target) => target !== undefined && sources.has(target)) as string[];
}

/** The manifest of a feature, and what it adds to a running server, take what is in its folders. */
const composes = (file: string, target: string) =>
  /\/(?:feature|serve)\.ts$/.test(file) && target.startsWith(`${dirname(file)}/`);

/** Returns `from → to` for every dependency between folders, each with one import as an example. */
function folderEdges(): Map<string, string> {
  const edges = new Map<string, string>();
  for (const file of files) {
    for (const target of restsOn(file)) {
      const [from, to] = [dirname(file), dirname(target)];
      if (from !== to && !composes(file, target)) edges.set(`${from} → ${to}`, `${file} → ${target}`);
    }
  }
  return edges;
}

describe('the folders of the domain', () => {
  it('depend on each other in one direction only, including tables', () => {
    expect(homeOfTable.get('objects')).toBe('server/features/files/table.ts');
    const edges = folderEdges();
    const mutual = [...edges].filter(([edge]) => edges.has(edge.split(' → ').toReversed().join(' → ')));
    expect(mutual).toEqual([]);
  });

  it('keep the S3 protocol out of files and uploads, which other doors share', () => {
    const core = files.filter((file) => /^server\/(domain\/(account|contents)|features\/(files|uploads))\//.test(file));
    expect(core.length).toBeGreaterThan(50);
    expect(core.filter((file) => /s3|amz/i.test(sources.get(file)!.text))).toEqual([]);
  });

  it('are not imported by the metadata port', () => {
    expect(importsOf('server/domain/ports/metadata.ts')).toEqual([]);
  });
});
