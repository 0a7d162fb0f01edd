import { describe, expect, it } from 'vitest';

import { ajvOfValidator, operationChain, validatorRequest } from '#server/internals/express-openapi-validator-5.ts';

/** A contract of one operation. */
const contract = () => ({
  openapi: '3.1.0',
  info: { title: 'a', version: '1' },
  paths: {
    '/files/{id}': {
      post: {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 9, default: 3 } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                properties: { name: { type: 'string' }, size: { type: 'integer', default: 7 } },
              },
            },
          },
        },
        responses: { 200: { description: 'a' } },
      },
    },
  },
});

const operation = { path: '/files/{id}', method: 'post' };

const request = (id: string, query: Record<string, string>, body: unknown) =>
  validatorRequest({
    method: 'post',
    pathname: `/files/${id}`,
    pathParameters: { id },
    query,
    headers: { 'content-type': 'application/json' },
    body,
  });

describe('operationChain()', () => {
  it('converts values and writes defaults, at the first request and at later ones', async () => {
    const run = await operationChain(contract(), operation);
    for (const id of ['1', '2', '3']) {
      const req = request(id, { limit: '5' }, { name: 'a' });
      expect(await run(req, { id })).toEqual([]);
      expect(req.params).toMatchObject({ id: Number(id) });
      expect(req.query).toMatchObject({ limit: 5 });
      expect(req.body).toEqual({ name: 'a', size: 7 });
    }
    const bare = request('4', {}, { name: 'a' });
    expect(await run(bare, { id: '4' })).toEqual([]);
    expect(bare.query).toMatchObject({ limit: 3 });
  });

  it('reports where a value is wrong and the rule it breaks', async () => {
    const run = await operationChain(contract(), operation);
    const all = { query: '/query/limit', path: '/params/id', body: '/body/name' };
    for (const round of ['first', 'later']) {
      const found = {
        query: await run(request('1', { limit: '10' }, { name: 'a' }), { id: '1' }),
        path: await run(request('x', {}, { name: 'a' }), { id: 'x' }),
        body: await run(request('1', {}, {}), { id: '1' }),
      };
      for (const [place, violations] of Object.entries(found))
        expect([round, violations[0]?.path]).toEqual([round, all[place as keyof typeof all]]);
      expect(found.query[0]!.errorCode).toBe('maximum.openapi.validation');
      expect(found.body[0]!.errorCode).toBe('required.openapi.validation');
    }
  });

  it('finds the operation once: later requests take the parameters of the path that they are given', async () => {
    const run = await operationChain(contract(), operation);
    await run(request('1', {}, { name: 'a' }), { id: '1' });
    const elsewhere = { ...request('2', {}, { name: 'a' }), originalUrl: '/elsewhere', url: '/elsewhere' };
    expect(await run(elsewhere, { id: '2' })).toEqual([]);
    expect(elsewhere.openapi).toMatchObject({ openApiRoute: '/files/{id}', pathParams: { id: 2 } });
  });
});

it('ajvOfValidator() returns the Ajv of JSON Schema 2020-12', () => {
  const validate = new (ajvOfValidator())({ strict: false }).compile({
    type: 'object',
    properties: { a: true },
    unevaluatedProperties: false,
  });
  expect(validate({ a: 1 })).toBe(true);
  expect(validate({ b: 1 })).toBe(false);
});
