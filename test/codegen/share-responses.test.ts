import { describe, expect, it } from 'vitest';

import { operationsOf, responsesOf, type Json } from '#openapi/codegen/document.ts';
import { printContract } from '#openapi/codegen/print-contract.ts';
import { retriesOf } from '#openapi/codegen/retries.ts';
import { shareResponses } from '#openapi/codegen/share-responses.ts';
import { contract } from '#test/support/contract.ts';
import { contractWith, operation, refusals } from './small-contract.ts';

const small = contractWith({
  '/a': { get: operation('getA', { responses: { 404: refusals(['X']), 409: refusals(['Y']) } }) },
  '/b': { get: operation('getB', { responses: { 404: refusals(['X']), 409: refusals(['Z']) } }) },
  '/c': { get: operation('getC', { responses: { 410: refusals(['X']) } }) },
});
const shared = shareResponses(small);
const written = (id: string) => operationsOf(shared).find((one) => one.id === id)!.spec.responses;

describe('shareResponses()', () => {
  it('writes a response of several operations once, and refers to it', () => {
    const name = /^#\/components\/responses\/(404-X-[0-9a-f]{6})$/.exec(written('getA')[404].$ref)![1]!;
    expect(written('getB')[404]).toEqual(written('getA')[404]);
    expect(shared.components.responses[name]).toEqual(refusals(['X']));
  });

  it('leaves a response of one operation in its place', () => {
    expect(written('getA')[409]).toEqual(refusals(['Y']));
    expect(written('getC')[410]).toEqual(refusals(['X']));
  });

  it('changes nothing that an operation says', () => {
    const said = (document: typeof small) => operationsOf(document).map((one) => responsesOf(document, one));
    expect(said(shared)).toEqual(said(small));
  });

  it('leaves no two alike in the bundled contract, and no example twice', () => {
    const inline = operationsOf(contract).flatMap(({ spec }) =>
      Object.entries(spec.responses).filter(([, response]) => !(response as { $ref?: string }).$ref),
    );
    const texts = inline.map(([status, response]) => `${status} ${JSON.stringify(response)}`);
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
    // Those of createMessage are made from others, in its own form.
    const examples = operationsOf(contract).flatMap((one) =>
      responsesOf(contract, one).flatMap(({ response }) =>
        Object.values<Json>(response.content ?? {}).flatMap((media) => Object.values<Json>(media.examples ?? {})),
      ),
    );
    expect(examples.length).toBeGreaterThan(1000);
    const inPlace = examples.filter(({ $ref }) => $ref === undefined).map((one) => JSON.stringify(one));
    const named = new Set(Object.values(contract.components.examples).map((one) => JSON.stringify(one)));
    expect(inPlace.filter((text, at) => named.has(text) || inPlace.indexOf(text) !== at)).toEqual([]);
  });

  it('hides no code that comes with Retry-After', () => {
    expect(retriesOf(contract).get('STORAGE_UNAVAILABLE')).toBeDefined();
    expect(retriesOf(contract).get('daily_limit_reached')).toMatchObject({ shouldRetry: false });
  });
});

describe('printContract()', () => {
  it('prints JSON whose lines are short enough to compare, with a whole value on each that fits', () => {
    const text = printContract(contract);
    expect(JSON.parse(text)).toEqual(contract);
    expect(printContract({ a: [1, 'b'], c: {} })).toBe('{"a":[1,"b"],"c":{}}');
    const long = 'x'.repeat(250);
    expect(printContract({ a: { b: long }, c: [long] })).toBe(
      `{\n "a":{\n  "b":"${long}"\n },\n "c":[\n  "${long}"\n ]\n}`,
    );
  });
});
