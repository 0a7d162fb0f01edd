import { describe, expect, it } from 'vitest';

import { problemsOf } from './judge.ts';

const noRoute = {
  status: 404,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'a-request',
    link: '</docs/errors/NOT_FOUND>; rel="help"',
  },
  cookies: [],
  body: Buffer.from('{"status":"error","code":"NOT_FOUND","message":"There is no such route."}'),
};

const problemsAt = (target: string, code = 'NOT_FOUND') => {
  const body = Buffer.from(noRoute.body.toString().replace('NOT_FOUND', code));
  const request = { operation: 'getStats', door: 'api', method: 'GET', target, headers: [] };
  const heard = { answer: { ...noRoute, body }, tookMs: 1 };
  return problemsOf(
    request as unknown as Parameters<typeof problemsOf>[0],
    heard as unknown as Parameters<typeof problemsOf>[1],
  );
};

describe('problemsOf()', () => {
  it('takes NOT_FOUND for a path with a fragment, and for no path of an operation', () => {
    expect(problemsAt('/v1/account/stats#x%zz')).toEqual([]);
    expect(problemsAt('/v1/account/keys/a#%zz')).toEqual([]);
    expect(problemsAt('/v1/account/stats')).not.toEqual([]);
    expect(problemsAt('/v1/account/stats#x%zz', 'APIKEY_NOT_FOUND')).not.toEqual([]);
  });
});
