import { describe, expect, it } from 'vitest';

import { printRouter } from '#openapi/codegen/print-router.ts';
import { contractWith, operation, refusals } from './small-contract.ts';

const printed = (paths: Parameters<typeof contractWith>[0]) => printRouter(contractWith(paths));

describe('printRouter()', () => {
  it('prints the handlers that the server must have for each tag, and the routes', () => {
    const text = printed({
      '/a': {
        get: operation('getA', { tags: ['upload-tokens'] }),
        post: operation('postA', { tags: ['upload-tokens'] }),
      },
    });
    expect(text).toContain(
      'export interface UploadTokensHandlers<Context> {\n  readonly getA: Operation<Record<never, never>, ' +
        'Context, GetAReply>;\n  readonly postA: ',
    );
    expect(text).toContain('export function uploadTokensRouter<Context>(');
    expect(text).toContain(`router.get('/a', handle('getA', handlers.getA));`);
    expect(text).toContain(`router.post('/a', handle('postA', handlers.postA));`);
  });

  it('limits the replies of a handler to the declared ones', () => {
    const responses = {
      200: { content: { 'application/json': {} } },
      302: {},
      404: refusals(['X']),
      410: { content: { 'text/plain': { 'x-codes': [] } } },
    };
    expect(printed({ '/a': { get: operation('getA', { responses }) } })).toContain(
      `export type GetAReply =
  | { status: 200; body: Json<types.GetAResponses[200]>; headers?: ReplyHeaders }
  | { status: 302; body?: undefined; headers?: ReplyHeaders }
  | { status: 404; body: types.GetAErrors[404]; headers?: ReplyHeaders }
  | { status: 410; body: Content; headers?: ReplyHeaders };`,
    );
  });

  it('gives a handler the parts of the request that the operation has', () => {
    const parameters = [
      { name: 'id', in: 'path' },
      { name: 'q', in: 'query' },
    ];
    const requestBody = { content: { 'application/json': { schema: {} } } };
    expect(printed({ '/a/{id}': { put: operation('putA', { parameters, requestBody }) } })).toContain(
      `readonly putA: Operation<{ path: types.PutAData['path']; query: NonNullable<types.PutAData['query']>; ` +
        `body: NonNullable<types.PutAData['body']> }, Context, PutAReply>;`,
    );
  });

  it('registers fixed paths before those with parameters', () => {
    const text = printed({
      '/a/{id}': { get: operation('getOne') },
      '/{x}/list': { get: operation('other') },
      '/a/list': { get: operation('getList') },
      '/a/{some-id}/b': { get: operation('deep') },
    });
    const order = [...text.matchAll(/router\.get\('([^']+)'/g)].map(([, path]) => path);
    expect(order.indexOf('/a/list')).toBeLessThan(order.indexOf('/a/:id'));
    expect(order.indexOf('/a/list')).toBeLessThan(order.indexOf('/:x/list'));
    expect(order).toContain('/a/:"some-id"/b');
  });

  it('leaves the routes of the public host to its door', () => {
    expect(
      printed({ '/a': { 'x-door': 'public', get: operation('getA') }, '/b': { get: operation('getB') } }),
    ).not.toContain('getA');
  });

  it('throws for an operation without a name', () => {
    expect(() => printed({ '/a': { get: { ...operation('x'), operationId: undefined } } })).toThrow(
      'get /a has no operationId',
    );
  });
});
