import { describe, expect, it } from 'vitest';

import { schemaChecker } from '#mocks/schema-check.ts';
import { resolve, type Json } from '#openapi/codegen/document.ts';
import { contract } from '#test/support/contract.ts';

const problemsOf = schemaChecker(contract);

/** An example, and the schema that it must match. */
interface Example {
  readonly at: string;
  readonly schema: Json;
  readonly value: unknown;
}

/** Many places have the same schema. Each is compiled once, and not at all for a plain text. */
const known = new Map<string, Json>();
function sameSchema(schema: Json): Json {
  const text = JSON.stringify(schema);
  return known.get(text) ?? known.set(text, schema).get(text)!;
}

const isNode = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/**
 * Every example of the bundle: of schemas (a list), and of parameters, headers and media types (one, or a map of
 * names).
 */
function examplesOf(node: unknown, at: string): Example[] {
  if (!isNode(node)) return [];
  const { schema, examples, example } = node;
  const own = Array.isArray(examples)
    ? examples.map((value, index) => ({ at: `${at}/examples/${index}`, schema: node, value }))
    : isNode(examples) && schema
      ? Object.entries<Json>(examples).map(([name, one]) => ({
          at: `${at}/examples/${name}`,
          schema,
          value: resolve(contract, one).value,
        }))
      : [];
  const single = schema && example !== undefined ? [{ at: `${at}/example`, schema, value: example }] : [];
  const deeper = Object.entries(node).flatMap(([key, value]) =>
    key === 'examples' || key === 'example' ? [] : examplesOf(value, `${at}/${key}`),
  );
  return [...own, ...single, ...deeper];
}

const all = examplesOf({ paths: contract.paths, components: contract.components }, '');

describe('the examples of the contract', () => {
  it('are many', () => {
    expect(all.length).toBeGreaterThan(900);
  });

  it('match their schemas, formats and patterns', () => {
    const wrong = all.flatMap(({ at, schema, value }) =>
      problemsOf(sameSchema(schema))(value).map((problem) => `${at}:${problem}`),
    );
    expect(wrong).toEqual([]);
  });
});
