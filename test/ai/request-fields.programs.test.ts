import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { expect, it } from 'vitest';

import { describeWith } from '#test/support/describe-with.ts';
import { placeOf } from '#test/support/packages.ts';
import { protocols } from './request-fields.ts';

/** The types of requests of the pinned SDKs, by the path of the protocol. */
const types: ReadonlyArray<readonly [path: string, name: string, file: string, type: string]> = [
  ['chat/completions', 'openai', 'resources/chat/completions/completions.d.ts', 'ChatCompletionCreateParamsBase'],
  ['responses', 'openai', 'resources/responses/responses.d.ts', 'ResponseCreateParamsBase'],
  ['messages', '@anthropic-ai/sdk', 'resources/messages/messages.d.ts', 'MessageCreateParamsBase'],
  ['messages', '@anthropic-ai/sdk', 'resources/beta/messages/messages.d.ts', 'MessageCreateParamsBase'],
];

/** Returns the names of an interface's members. */
function membersOf(file: string, type: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === type)
      for (const { name } of node.members) if (name && ts.isIdentifier(name)) found.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describeWith('openai', '@anthropic-ai/sdk')('the table of fields', () => {
  it.each(types)('has what a request to %s may have by the types of %s in %s', (path, name, file, type) => {
    const members = membersOf(join(placeOf(name), file), type);
    expect(members.length).toBeGreaterThan(15);
    const { fields } = protocols.find((one) => one.path === path)!;
    expect(members.filter((member) => !fields.some((field) => field.name === member))).toEqual([]);
  });
});
