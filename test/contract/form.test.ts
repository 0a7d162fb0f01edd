import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { operationsOf, resolve, responsesOf, type Json } from '#openapi/codegen/document.ts';
import { contract } from '#test/support/contract.ts';

const folder = join(import.meta.dirname, '../../openapi');

/** The length in lines of every file that is written by hand, keyed by its path. */
async function lengths(): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const path of glob('**/*.{yaml,ts,mjs}', { cwd: folder })) {
    found.set(path.replaceAll('\\', '/'), (await readFile(join(folder, path), 'utf8')).trimEnd().split('\n').length);
  }
  return found;
}

describe('the files of the contract', () => {
  it('have up to 200 lines', async () => {
    expect([...(await lengths())].filter(([, lines]) => lines > 200)).toEqual([]);
  });

  it('describe an operation in fewer than 60 lines, in the middle of all', async () => {
    const operations = [...(await lengths())].filter(([path]) => path.startsWith('operations/'));
    expect(operations).toHaveLength(operationsOf(contract).length);
    const sorted = operations.map(([, lines]) => lines).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(60);
  });
});

/** A body has a name when it refers to a schema, or, in the envelope, when its `response` does. */
function isNamed({ $ref, properties = {} }: Json): boolean {
  return $ref !== undefined || properties.response?.$ref !== undefined;
}

describe('every body of JSON or of a form has a name', () => {
  const bodies = operationsOf(contract).flatMap((operation) => [
    ...Object.entries<Json>(operation.spec.requestBody?.content ?? {}).map(
      ([type, { schema }]) => [operation.id, 'request', type, schema] as const,
    ),
    ...responsesOf(contract, operation)
      .filter(({ status }) => status < 300)
      .flatMap(({ status, response }) =>
        Object.entries<Json>(response.content ?? {}).map(
          ([type, { schema }]) => [operation.id, String(status), type, schema] as const,
        ),
      ),
  ]);

  it.each(bodies.filter(([, , , schema]) => resolve(contract, schema).type !== 'string'))('%s %s %s', (...body) => {
    expect(isNamed(body[3])).toBe(true);
  });
});
