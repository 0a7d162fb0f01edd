import { describe, expect, test } from 'vitest';

import { exchange, textOf } from '#test/s3/exchange.ts';
import { gatewayOf, startGateway, type Gateway } from '#test/s3/gateway.ts';
import { someBytes } from '#test/support/files.ts';

const header = 'x-amz-server-side-encryption';
const key = 'key-encryption-key of a test, long enough';

const put = (gateway: Gateway, path: string, headers: Record<string, string>, body: Uint8Array | string = 'text') =>
  exchange(gateway, { method: 'PUT', path, headers, body });

describe('x-amz-server-side-encryption', () => {
  test('AES256 is taken by each write, and repeated, where files are encrypted', async () => {
    const gateway = await startGateway({ env: { CUBBY_KEY_ENCRYPTION_KEY: key } });
    const asked = { [header]: 'AES256' };
    for (const body of ['small', someBytes(100_000)]) {
      const answer = await put(gateway, '/private/a', asked, body);
      expect([answer.status, answer.headers[header]]).toEqual([200, 'AES256']);
      const copy = await put(gateway, '/private/b', { ...asked, 'x-amz-copy-source': '/private/a' }, '');
      expect([copy.status, copy.headers[header]]).toEqual([200, 'AES256']);
    }
    const begun = await exchange(gateway, {
      method: 'POST',
      path: '/private/c',
      query: { uploads: '' },
      headers: asked,
    });
    expect([begun.status, begun.headers[header]]).toEqual([200, 'AES256']);
    expect((await put(gateway, '/private/d', {})).headers[header]).toBeUndefined();
    const configuration = await exchange(gateway, { path: '/private', query: { encryption: '' } });
    expect(textOf(configuration.text, 'SSEAlgorithm')).toBe('AES256');
    expect((await exchange(gateway, { method: 'DELETE', path: '/private', query: { encryption: '' } })).status).toBe(
      501,
    );
    for (const value of ['aws:kms', 'AES-256', '']) {
      const refused = await put(gateway, '/private/e', { [header]: value });
      expect([refused.status, textOf(refused.text, 'Code')]).toEqual([501, 'NotImplemented']);
    }
    const customer = await put(gateway, '/private/e', { ...asked, [`${header}-customer-algorithm`]: 'AES256' });
    expect(customer.status).toBe(501);
  });

  test('AES256 of a copy is refused if the source was stored before files were encrypted', async () => {
    const before = await startGateway({ ownStores: true });
    for (const body of ['small', someBytes(100_000)]) await put(before, `/private/${body.length}`, {}, body);
    const { dataDir } = before.server;
    const { account } = before;
    await before.server.running.stop();
    const { server } = await startGateway({ dataDir, ownStores: true, env: { CUBBY_KEY_ENCRYPTION_KEY: key } });
    const after = await gatewayOf(server, account);
    for (const size of [5, 100_000]) {
      const headers = { [header]: 'AES256', 'x-amz-copy-source': `/private/${size}` };
      const refused = await put(after, '/private/b', headers, '');
      expect([refused.status, textOf(refused.text, 'Code')]).toEqual([400, 'InvalidRequest']);
      expect(textOf(refused.text, 'Message')).toContain('upload it again');
    }
  });

  test('is refused with the name of the setting where files are not encrypted', async () => {
    const gateway = await startGateway({ env: { CUBBY_KEY_ENCRYPTION_KEY: '' } });
    const answer = await put(gateway, '/private/a', { [header]: 'AES256' });
    expect([answer.status, textOf(answer.text, 'Code')]).toEqual([501, 'NotImplemented']);
    expect(textOf(answer.text, 'Message')).toContain('CUBBY_KEY_ENCRYPTION_KEY');
    expect((await exchange(gateway, { path: '/private/a' })).status).toBe(404);
  });
});
