import { readdirSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { operationsOf, resolve, responsesOf, type Json } from '#openapi/codegen/document.ts';
import { features } from '#server/features.ts';
import { contract } from '#test/support/contract.ts';

const folder = join(import.meta.dirname, '../../openapi');

/** Returns the number of lines of every hand-written file, keyed by its path. */
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

  it('lie in folders named as the features, as parts of the core, or as the forms of errors', () => {
    const names = [...features.map(({ name }) => name), 'account', 'common', 'operations', 'operator', 'sessions'];
    const forms = ['ai-errors', 'errors', 'git-replies', 'oauth-errors', 'page-errors', 'text-errors'];
    const [operations, schemas, examples] = ['operations', 'schemas', 'examples'].map((kind) =>
      readdirSync(join(folder, kind)),
    );
    expect([...new Set([...operations!, ...schemas!])].filter((name) => !names.includes(name))).toEqual([]);
    expect(examples!.filter((name) => ![...names, ...forms].includes(name))).toEqual([]);
  });

  it('have no page and no text of an error that no response shows', async () => {
    const shown = JSON.stringify(contract);
    const unused: string[] = [];
    for await (const path of glob('examples/{git-replies,oauth-errors,page-errors,text-errors}/**/*.yaml', {
      cwd: folder,
    })) {
      const { value } = parse(await readFile(join(folder, path), 'utf8'));
      if (!shown.includes(`"value":${JSON.stringify(value)}`)) unused.push(path);
    }
    expect(unused).toEqual([]);
  });

  it('describe an operation in a median of fewer than 60 lines', async () => {
    const operations = [...(await lengths())].filter(([path]) => path.startsWith('operations/'));
    expect(operations).toHaveLength(operationsOf(contract).length);
    const sorted = operations.map(([, lines]) => lines).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(60);
  });
});

/** A body has a name if it refers to a schema, or, in the envelope, if its `response` does. */
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

/** Returns every choice in the bundle, with its place. */
function choicesOf(node: unknown, at: string): Array<readonly [at: string, node: Json]> {
  if (typeof node !== 'object' || node === null) return [];
  const own = Object.hasOwn(node, 'oneOf') || Object.hasOwn(node, 'anyOf') ? [[at, node as Json] as const] : [];
  return [...own, ...Object.entries(node).flatMap(([key, value]) => choicesOf(value, `${at}/${key}`))];
}

/**
 * Returns the type of each form of a choice: `object`, `string` and so on. A form that is a choice itself counts as its
 * forms.
 */
function kindsOf({ oneOf, anyOf }: Json): string[] {
  return (oneOf ?? anyOf).flatMap((form: Json) => {
    const schema = resolve(contract, form);
    return schema.oneOf || schema.anyOf ? kindsOf(schema) : [schema.type].flat();
  });
}

describe('every choice between objects has a discriminator, or says why it has none', () => {
  // A discriminator is a property. Forms that are not objects have none, and null is not an object either.
  const choices = choicesOf({ paths: contract.paths, components: contract.components }, '').filter(
    ([, node]) => (node.oneOf ?? node.anyOf).length > 1 && kindsOf(node).every((kind) => kind === 'object'),
  );

  it.each(choices)('%s', (_, node) => {
    if (node['x-no-discriminator']) return expect(node['x-no-discriminator']).toMatch(/\.$/);
    const { propertyName, mapping } = node.discriminator;
    const valuesOf = (form: Json) => {
      const property = resolve(contract, form).properties[propertyName];
      return property.enum ?? [property.const];
    };
    const expected = (node.oneOf ?? node.anyOf).flatMap((form: Json) =>
      valuesOf(form).map((value: string) => [value, form.$ref]),
    );
    expect(mapping).toEqual(Object.fromEntries(expected));
  });

  it('covers exactly the known choices', () => {
    expect(choices.map(([at]) => at)).toEqual([
      '/components/schemas/UpdateResult',
      '/components/schemas/ChatResponseFormat',
      '/components/schemas/MessagesAnswer/properties/content/items',
      '/components/schemas/AiModels',
      '/components/schemas/AiError',
      '/components/schemas/AiModel',
      '/components/schemas/ResponsesAnswer/properties/output/items',
    ]);
  });
});
