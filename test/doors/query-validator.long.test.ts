import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { policies, type OperationId } from '#generated/policies.ts';
import type { OperationPolicy, ParameterPolicy } from '#server/pipeline/operation-policy.ts';
import { documentOf } from '#server/doors/contract/operation-document.ts';
import { operationValidator, probeOf, type Validate } from '#server/doors/contract/operation-validator.ts';
import { queryValidatorOf, type ValidateQuery } from '#server/doors/contract/query-validator.ts';
import { rawValues } from '#server/doors/contract/raw-values.ts';
import { parseQuery } from '#server/http/query.ts';
import { contract } from '#test/support/contract.ts';

const requests = process.env.CUBBY_TEST_LONG ? 200_000 : 20_000;

/** Operations that have nothing but a query. */
const operations = (Object.entries(policies) as [OperationId, OperationPolicy][]).filter(
  ([, { door, queryFields, path }]) => door !== 'public' && !path.includes('{') && Object.keys(queryFields).length > 0,
);

/** Texts of every form that a schema may treat in its own way: numbers, dates, ids, JSON, nothing, and long ones. */
const texts = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      '0',
      '1',
      '-1',
      '+1',
      '007',
      '1e3',
      '0x10',
      '1.0',
      '1000',
      '1001',
      '9007199254740993',
      ' 7 ',
      'NaN',
      'null',
    ],
    ...['true', 'false', 'TRUE', 'yes', 'inline', 'attachment', 'asc', 'desc', '/', '//', '../a', 'a/b/', 'photos/'],
    ...['10', '100', '86400', '604800', '604801', '2026-11-23', '2026-11-23T00:00:00Z', '{}', '[]', '{"a":"b"}', '"'],
    ...['pub/204815162342108999/a.png', 'priv/204815162342108999/a.png', 'a'.repeat(255), 'a'.repeat(256)],
    ...['é'.repeat(600), 'x'.repeat(1024), 'x'.repeat(1025), 'x'.repeat(4097), '\u{1f600}', 'a\u0000b', '\ud800'],
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer({ min: -10, max: 20_000 }).map(String),
);

/** Values that the parameter's own policy names, so that many requests are valid. */
function likelyTexts(field: ParameterPolicy): fc.Arbitrary<string> {
  if (field.kind === 'boolean') return fc.constantFrom('true', 'false', '1', '0');
  if (field.kind === 'integer') return fc.integer({ min: field.minimum ?? 1, max: field.maximum ?? 100 }).map(String);
  return fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/);
}

describe('queryValidatorOf() beside the chain of express-openapi-validator', () => {
  const validators = new Map<OperationId, { chain: Validate; query: ValidateQuery }>();
  let accepted = 0;
  let refused = 0;

  beforeAll(async () => {
    for (const [id, policy] of operations) {
      const query = queryValidatorOf(documentOf(contract, policy), policy);
      if (query) validators.set(id, { query, chain: await operationValidator(documentOf(contract, policy), policy) });
    }
  });

  it('validates the queries of most operations that have one', () => {
    expect(validators.size).toBeGreaterThan(8);
  });

  it.each(operations.map(([id]) => id))('accepts what the chain accepts, and nothing else, for %s', async (id) => {
    const validator = validators.get(id);
    if (!validator) return expect(policies[id].bodyRequired || policies[id].bodyTypes.length > 0).toBe(true);
    const policy: OperationPolicy = policies[id];
    const query = fc.record(
      Object.fromEntries(
        Object.entries(policy.queryFields).map(([name, field]) => [name, fc.oneof(likelyTexts(field), texts)]),
      ),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(query, async (sent) => {
        const { values } = rawValues(
          policy.queryFields,
          parseQuery(`/?${new URLSearchParams(sent as Record<string, string>)}`),
        );
        const alone = validator.query(values);
        const probe = probeOf(policy, { pathname: policy.path, pathParameters: {}, body: undefined }, { ...values });
        const findings = await validator.chain(probe, {});
        expect(alone === undefined).toBe(findings.length > 0);
        if (alone) expect(alone).toEqual(probe.query);
        if (alone) accepted++;
        else refused++;
      }),
      { numRuns: Math.ceil(requests / validators.size) },
    );
  });

  it('was tried with thousands of requests of either kind', () => {
    expect(accepted + refused).toBeGreaterThanOrEqual(requests);
    expect(Math.min(accepted, refused)).toBeGreaterThan(requests / 20);
  });
});
