import { fixtures, operations, type OperationId } from 'cubby-server/fixtures';
import type { ListObjectsResponses, UploadObjectErrors } from 'cubby-server/client';
import { describe, expect, expectTypeOf, it } from 'vitest';

import { policies } from '#generated/policies.ts';
import { checkAnswer } from '#test/support/contract.ts';
import { sampleRequest } from '#openapi/build/sample-request.ts';
import { operationsOf } from '#openapi/codegen/document.ts';
import { contract } from '#test/support/contract.ts';

describe('cubby-server/fixtures', () => {
  it('has the bodies of the examples, with the types of the client', () => {
    expectTypeOf(fixtures.listObjects.page).toEqualTypeOf<ListObjectsResponses[200]>();
    expectTypeOf(fixtures.uploadObject.OBJECT_ALREADY_EXISTS).toEqualTypeOf<UploadObjectErrors[409]>();
    expectTypeOf(fixtures.getMetrics.counters).toEqualTypeOf<string>();
    expect(fixtures.listObjects.page.response.objects).toHaveLength(2);
    expect(fixtures.uploadObject.OBJECT_ALREADY_EXISTS.code).toBe('OBJECT_ALREADY_EXISTS');
  });

  it('has every operation of the contract', () => {
    expect(Object.keys(operations).sort()).toEqual(Object.keys(policies).sort());
  });

  it('has whole responses that the contract declares, with their required headers', () => {
    for (const operation of operationsOf(contract)) {
      const { method, responses } = operations[operation.id as OperationId];
      const { target } = sampleRequest(contract, operation);
      for (const [name, { status, headers, body }] of Object.entries(responses)) {
        const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
        const path = target.split('?')[0]!;
        const answer = { method, path, status, headers, body: Buffer.from(text), door: operation.door };
        expect(checkAnswer(answer), `${operation.id} ${name}`).toEqual([]);
        if (headers.Link) expect(headers.Link).toBe(`</docs/errors/${name.toUpperCase()}>; rel="help"`);
      }
    }
  });

  it('is frozen, so that no test changes those of another', () => {
    expect(() => fixtures.listObjects.page.response.objects.pop()).toThrow(TypeError);
  });
});
