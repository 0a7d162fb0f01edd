import { afterEach, describe, expect, it, vi } from 'vitest';

import {
  getObjectInfo,
  getPublicFile,
  hosts,
  openDownloadLink,
  openShare,
  submitSharePassword,
} from '#dist/modules/client/index.js';
import { defaultAddress } from '#openapi/build/client-hosts.ts';
import { operationsOf } from '#openapi/codegen/document.ts';
import { contract } from '#test/support/contract.ts';

const addresses: Readonly<Record<string, string>> = {
  api: 'http://localhost:7400',
  files: 'http://localhost:7401',
  public: 'http://localhost:7402',
  operator: 'http://127.0.0.1:7404',
};

describe('the servers of the contract', () => {
  it.each(operationsOf(contract).map((operation) => [operation.id, operation] as const))(
    'name the host of %s',
    (_, { door, spec }) => {
      expect(defaultAddress(spec.servers ?? contract.servers)).toBe(addresses[door]);
    },
  );
});

describe('the generated client', () => {
  const asked = vi.fn(async (request: Request) => new Response(request.url));
  const fetch = asked as unknown as typeof globalThis.fetch;
  const kept = { ...hosts };
  afterEach(() => void Object.assign(hosts, kept));

  const addressOf = async (call: Promise<{ readonly request?: Request }>) => (await call).request?.url;

  it('calls each operation at its host', async () => {
    expect(await addressOf(getObjectInfo({ fetch, query: { object: 'pub/1/a' } }))).toBe(
      'http://localhost:7400/v1/objects/info?object=pub%2F1%2Fa',
    );
    expect(await addressOf(openDownloadLink({ fetch, path: { token: 'abc' } }))).toBe('http://localhost:7401/d/abc');
    expect(await addressOf(openShare({ fetch, path: { share_id: 'abc' } }))).toBe('http://localhost:7401/s/abc');
    expect(
      await addressOf(submitSharePassword({ fetch, path: { share_id: 'abc' }, body: { password: 'example' } })),
    ).toBe('http://localhost:7401/s/abc');
    expect(await addressOf(getPublicFile({ fetch, path: { account_id: '204815162342108999', key: 'logo.png' } }))).toBe(
      'http://localhost:7402/204815162342108999/logo.png',
    );
  });

  it('calls the host that its user has set', async () => {
    hosts.files = 'https://files.cubby.invalid';
    expect(await addressOf(openShare({ fetch, path: { share_id: 'abc' } }))).toBe('https://files.cubby.invalid/s/abc');
  });

  it('calls the address of the call before any other', async () => {
    expect(await addressOf(openShare({ fetch, baseUrl: 'http://127.0.0.1:9', path: { share_id: 'abc' } }))).toBe(
      'http://127.0.0.1:9/s/abc',
    );
  });
});
