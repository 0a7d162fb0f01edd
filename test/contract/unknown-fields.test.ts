import { describe, expect, it } from 'vitest';

import { operationsOf, resolve, bodySchema, type Json } from '#openapi/codegen/document.ts';
import { policies, type OperationId } from '#generated/policies.ts';
import { RequestValidator } from '#server/doors/contract/request-validator.ts';
import type { Refusal } from '#server/domain/refusal.ts';
import { parseQuery } from '#server/http/query.ts';
import { contract } from '#test/support/contract.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import type { RequestFields } from './bad-input/request-fields.ts';

const operation = (id: OperationId) => operationsOf(contract).find((one) => one.id === id)!;

const validator = new RequestValidator(async () => contract);

/** Returns the refusal of a body, or undefined. */
function refusalOf(id: OperationId, body: unknown): Promise<Refusal | undefined> {
  const policy = policies[id];
  const parameters: Json[] = (operation(id).spec.parameters ?? []).map((one: Json) => resolve(contract, one));
  const ofPath = parameters.filter((one) => one.in === 'path');
  const pathParameters = Object.fromEntries(
    ofPath.map(({ name, schema }): [string, string] => [name, resolve(contract, schema).examples[0]]),
  );
  const pathname = policy.path.replace(/\{([^{}]+)\}/g, (_, name: string) => pathParameters[name]!);
  return validator.validate(id, policy, { pathname, pathParameters, query: parseQuery(pathname), body }).then(
    () => undefined,
    (error: Refusal) => error,
  );
}

/** The bodies of the contract's own examples. */
function examplesOf(spec: Json): Array<[name: string, body: Json]> {
  const content: Json = spec.requestBody?.content ?? {};
  const { examples = {} } = content['application/json'] ?? content['application/x-www-form-urlencoded'] ?? {};
  return Object.entries<Json>(examples).map(([name, example]) => [name, resolve(contract, example).value]);
}

/**
 * The objects within a body that name their fields: their place in a message, and the code of an unknown field there.
 */
const nested: Readonly<Record<string, ReadonlyArray<readonly [at: string, place: string, code: string]>>> = {
  createKey: [['ai', 'ai.', 'INVALID_BODY']],
  updateKey: [['ai', 'ai.', 'INVALID_BODY']],
  createAccountKey: [['ai', 'ai.', 'INVALID_BODY']],
  updateAccountKey: [['ai', 'ai.', 'INVALID_BODY']],
  replaceSettings: [
    ['rules', 'rules[0].', 'INVALID_RULES'],
    ['image_presets', 'image_presets[0].', 'INVALID_BODY'],
  ],
};

/** A whole body of each operation that makes or changes what lets somebody in. The fields are those of its schema. */
const whole: RequestFields['whole'] = {
  ...Object.assign({}, ...(await partsOfFeatures('request-fields')).map((own) => own.whole)),
  createKey: { name: 'Website', scopes: ['blob:read'], ai: { tokens_per_day: 1 } },
  updateKey: { ai: { tokens_per_day: 1 } },
  createAccountKey: { name: 'Website', scopes: ['blob:read'], ai: { tokens_per_day: 1 } },
  updateAccountKey: { ai: { tokens_per_day: 1 } },
  replaceSettings: {
    rules: [{ prefix: 'invoices', keep_deleted_days: 30 }],
    image_presets: [{ name: 'thumb', w: 320 }],
  },
  createWebhook: { url: 'https://example.invalid/hooks', types: ['object.*'] },
  updateWebhook: { types: ['object.*'] },
  createShare: { object: 'pub/204815162342108999/logo.png', max_downloads: 1 },
  updateShare: { id: 'ExampleShare00000000001', max_downloads: 1 },
  createUploadToken: { name: 'avatar', max_size: 1024 },
};

const strict = Object.keys(whole) as OperationId[];

const withField = (body: Json, at: string | undefined, name: string): Json => {
  if (at === undefined) return { ...body, [name]: 1 };
  const inner: Json = body[at];
  return { ...body, [at]: Array.isArray(inner) ? [{ ...inner[0], [name]: 1 }] : { ...inner, [name]: 1 } };
};

describe('a body that makes or changes what lets somebody in', () => {
  it('is one of these, and no other body rejects unknown fields', () => {
    const refusing = operationsOf(contract).filter(({ spec }) => spec['x-unknown-fields'] === 'refused');
    expect(refusing.map(({ id }) => id).toSorted()).toEqual(strict.toSorted());
  });

  it.each(strict)('of %s is taken whole', async (id) => {
    expect(await refusalOf(id, whole[id])).toBeUndefined();
  });

  const places = strict.flatMap((id) => [
    [id, undefined, '', 'INVALID_BODY'] as const,
    ...(nested[id] ?? []).map((one) => [id, ...one] as const),
  ]);

  it.each(places)('of %s rejects a field beside those of %s', async (id, at, place, code) => {
    const inner: Json = at === undefined ? whole[id]! : whole[id]![at];
    const known = Object.keys(Array.isArray(inner) ? inner[0] : inner).at(-1)!;
    const refusal = await refusalOf(id, withField(whole[id]!, at, `${known}x`));
    expect(refusal).toMatchObject({
      code,
      ownMessage: `\`${place}${known}x\` is not a known field. The nearest one is \`${known}\`.`,
    });
  });

  it.each(places)('of %s rejects a field with an empty name beside those of %s', async (id, at) => {
    expect(await refusalOf(id, withField(whole[id]!, at, ''))).toMatchObject({
      code: 'INVALID_BODY',
      ownMessage: 'A field of the body has an empty name. Name it, or leave it out.',
    });
  });

  it('names the field that was meant when its words are joined in another way', async () => {
    expect(await refusalOf('createUploadToken', { maxSize: 1024 })).toMatchObject({
      ownMessage: '`maxSize` is not a known field. The nearest one is `max_size`.',
    });
  });

  it('says the prefix of the rule with the unknown field, and nothing of the value', async () => {
    const refusal = await refusalOf('replaceSettings', { rules: [{ prefix: 'invoices', keep_deleted_day: 30 }] });
    expect(refusal).toMatchObject({ code: 'INVALID_RULES', prefix: 'invoices/' });
    expect(
      JSON.stringify(await refusalOf('createShare', { ...whole.createShare, pasword: 'hunter2hunter2' })),
    ).not.toContain('hunter2');
  });

  it.each(strict)('of %s may have every field that responses show', async (id) => {
    const schema = resolve(contract, bodySchema(operation(id).spec)!);
    const parts: Json[] = [schema, ...(schema.allOf ?? []).map((part: Json) => resolve(contract, part))];
    const shown = parts
      .flatMap((part) => part['x-answered-as'] ?? [])
      .flatMap((name) => fieldsOf(contract.components.schemas[name]));
    const own = new Set(
      parts.flatMap((part) =>
        Object.entries<Json>(part.properties ?? {}).flatMap(([name, field]) => (field.readOnly ? [] : [name])),
      ),
    );
    const further = Object.fromEntries(shown.filter((name) => !own.has(name)).map((name) => [name, null]));
    if (!['replaceSettings', 'replaceDeployFilters'].includes(id)) expect(Object.keys(further)).not.toEqual([]);
    expect(await refusalOf(id, { ...further, ...whole[id] })).toBeUndefined();
  });

  it('may have the fields that only responses show within it', async () => {
    const rule = {
      prefix: 'invoices/',
      delete_after_days: 30,
      created_at: '2026-04-21T00:00:00.000Z',
      active_from: null,
    };
    expect(await refusalOf('replaceSettings', { rules: [rule] })).toBeUndefined();
  });
});

function fieldsOf(schema: Json): string[] {
  const parts: Json[] = (schema.allOf ?? []).map((part: Json) => resolve(contract, part));
  return [...Object.keys(schema.properties ?? {}), ...parts.flatMap(fieldsOf)];
}

describe('every other body', () => {
  const ignoring = operationsOf(contract).filter(({ spec }) => spec['x-unknown-fields'] === 'ignored');

  it.each(ignoring.flatMap(({ id, spec }) => examplesOf(spec).map(([name, body]) => [id, name, body] as const)))(
    'of %s may have unknown fields (%s)',
    async (id, _, body) => {
      expect(await refusalOf(id as OperationId, { ...body, unknown_field: 1 })).toBeUndefined();
    },
  );
});
