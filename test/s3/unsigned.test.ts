import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sendWire, textOf } from './exchange.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { presign, sign, type Wire } from './signed-request.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const path = '/public/a.txt';
const request = { path };

/** A signed request with another `Authorization`, or with none. */
function under(authorization: string | undefined): Wire {
  const wire = sign(gateway, request);
  const others = wire.headers.filter(([name]) => name !== 'authorization');
  return { ...wire, headers: authorization === undefined ? others : [...others, ['authorization', authorization]] };
}

function respaced(before: string): Wire {
  const wire = sign(gateway, { ...request, headers: { 'x-amz-meta-colour': 'green' } });
  return {
    ...wire,
    headers: wire.headers.map(([name, value]) => [name, name === 'x-amz-meta-colour' ? `${before}${value}` : value]),
  };
}

function presigned(expiresSeconds: number, agoMs = 0): Wire {
  const target = presign(gateway, { path, expiresSeconds, signedAtMs: Date.now() - agoMs });
  return { method: 'GET', target, headers: [['host', new URL(gateway.url).host]], body: Buffer.alloc(0) };
}

describe('requests without a valid signature', () => {
  it.each<readonly [what: string, make: () => Wire, status: number, code: string]>([
    ['no signature, although the bucket is public', () => under(undefined), 403, 'AccessDenied'],
    ['an empty header', () => under(''), 403, 'AccessDenied'],
    ['an older signature', () => under('AWS someone:c2lnbmF0dXJl'), 400, 'InvalidRequest'],
    ['a malformed header', () => under('AWS4-HMAC-SHA256 Credential=HAHAHA'), 400, 'AuthorizationHeaderMalformed'],
    ['the API key itself', () => under(gateway.account.credential), 400, 'AuthorizationHeaderMalformed'],
    ['another secret', () => sign({ ...gateway, secretAccessKey: 'guessed' }, request), 403, 'SignatureDoesNotMatch'],
    ['a no-break space that was added to a header on the way', () => respaced('\u00a0'), 403, 'SignatureDoesNotMatch'],
    [
      'an unknown key pair',
      () => sign({ ...gateway, accessKeyId: `CB${'0'.repeat(18)}AAAAAAAAAAAAAAAA` }, request),
      403,
      'InvalidAccessKeyId',
    ],
    ['an expired address', () => presigned(60, 61_000), 403, 'AccessDenied'],
    ['an address valid for more than seven days', () => presigned(604_801), 400, 'AuthorizationQueryParametersError'],
    ['an address valid for 0 seconds', () => presigned(0), 403, 'AccessDenied'],
  ])('are refused: %s', async (_, make, status, code) => {
    const answer = await sendWire(gateway, make());
    expect([answer.status, textOf(answer.text, 'Code')]).toEqual([status, code]);
    expect(textOf(answer.text, 'Message')).toMatch(/\w+ \w+/);
    expect(textOf(answer.text, 'RequestId')).toBe(answer.headers['x-amz-request-id']);
  });

  it('pass with one more space before a header, which HTTP trims', async () => {
    expect(textOf((await sendWire(gateway, respaced('  '))).text, 'Code')).toBe('NoSuchKey');
  });

  it('pass for an address that is valid for seven days', async () => {
    expect(textOf((await sendWire(gateway, presigned(604_800, 3_600_000))).text, 'Code')).toBe('NoSuchKey');
  });
});
