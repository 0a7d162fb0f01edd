import { once } from 'node:events';
import { request } from 'node:http';

import { describe, expect, it } from 'vitest';

import { GetObjectCommand } from '#test/s3/small-client.ts';
import { startGateway } from '#test/s3/gateway.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { shareFile } from '#test/support/shares.ts';

/** The counts of two seconds are stored together. */
const timeout = 10_000;

/** Returns the requests and sent bytes of an account so far, without a request of its own. */
async function storedOf(server: TestServer, { id }: Pick<TestAccount, 'id'>) {
  const { traffic } = server.running.app.stores.metadata.read;
  const days = await traffic.daysOf(id, { from: 0, to: Number.MAX_SAFE_INTEGER });
  return {
    requests: days.reduce((sum, { requests }) => sum + requests, 0),
    egressBytes: days.reduce((sum, { egressBytes }) => sum + egressBytes, 0),
  };
}

/** Downloads from the public host until some bytes have come, and disconnects. Returns how many have come. */
async function cutOff(server: TestServer, path: string, afterBytes: number): Promise<number> {
  const { hostname, port } = new URL(server.running.urls.public);
  const asked = request({ hostname, port, path, agent: false }).end();
  const [response] = await once(asked, 'response');
  let bytes = 0;
  for await (const chunk of response) if ((bytes += chunk.length) >= afterBytes) break;
  asked.destroy();
  return bytes;
}

describe('the requests and sent bytes of an account', () => {
  it('are counted once at every host, also by links and without a credential', async () => {
    const gateway = await startGateway();
    try {
      const { server, account } = gateway;
      const [bytes, other] = [someBytes(40_000), await server.account()];
      const { id } = (await upload(server, account, { bytes })).json().response;
      const share = await shareFile(server, account, { file: { bytes, query: { name: 'shared' } } });
      const link = (
        await server.send(`/v1/objects/download?${new URLSearchParams({ object: id, redirect: 'false' })}`, {
          credential: account.credential,
        })
      ).json().response.url;
      await expect.poll(() => storedOf(server, account).then(({ requests }) => requests), { timeout }).toBe(5);
      const before = await storedOf(server, account);

      const path = `/${account.id}/photo.png`;
      await server.send(path, { door: 'public' });
      await server.send(path, { door: 'public', method: 'HEAD' });
      await server.send(path, { door: 'public', headers: { Range: 'bytes=0-99' } });
      const { headers } = await server.send(path, { door: 'public' });
      await server.send(path, { door: 'public', headers: { 'If-None-Match': headers.get('etag')! } });
      await fetch(link).then((answer) => answer.arrayBuffer());
      await server.send(`${share.path}?download=1`, { door: 'files' });
      const got = await gateway.client.send(new GetObjectCommand({ Bucket: 'public', Key: 'photo.png' }));
      await got.Body!.transformToByteArray();
      const stats = await server.send('/v1/account/stats', { credential: account.credential });
      const missing = await server.send('/v1/objects/info?object=pub/none', { credential: account.credential });
      // Nobody's requests.
      await server.send(`/${account.id}/missing.png`, { door: 'public' });
      await server.send('/v1/account/stats', { credential: 'cubby_wrong' });
      await server.send('/healthz');

      const sent = 5 * bytes.length + 100 + stats.body.length + missing.body.length;
      await expect
        .poll(() => storedOf(server, account), { timeout })
        .toEqual({
          requests: before.requests + 10,
          egressBytes: before.egressBytes + sent,
        });
      expect(await storedOf(server, other)).toEqual({ requests: 0, egressBytes: 0 });
    } finally {
      await gateway.stop();
    }
  });

  it('have the sent bytes of a download that was cut off, and each of many at once', async () => {
    const server = await startTestServer();
    const account = await server.account();
    const large = someBytes(24 * 1_048_576);
    await upload(server, account, { bytes: large });
    await upload(server, account, { bytes: someBytes(2000), query: { name: 'small' } });
    await expect.poll(() => storedOf(server, account).then(({ requests }) => requests), { timeout }).toBe(2);
    const before = await storedOf(server, account);
    const came = await cutOff(server, `/${account.id}/photo.png`, 1_048_576);
    await expect.poll(() => storedOf(server, account).then(({ requests }) => requests), { timeout }).toBe(3);
    const cut = (await storedOf(server, account)).egressBytes - before.egressBytes;
    expect(cut).toBeGreaterThanOrEqual(came);
    expect(cut).toBeLessThan(large.length);

    await Promise.all(Array.from({ length: 300 }, () => server.send(`/${account.id}/small.png`, { door: 'public' })));
    await expect
      .poll(() => storedOf(server, account), { timeout })
      .toEqual({ requests: 303, egressBytes: before.egressBytes + cut + 300 * 2000 });
  });

  it('are shown by day and for the month', async () => {
    const server = await startTestServer();
    const account = await server.account();
    const { credential } = account;
    await upload(server, account, { bytes: someBytes(2000) });
    await server.send(`/${account.id}/photo.png`, { door: 'public' });
    server.clock.advance(86_400_000);
    await server.send(`/${account.id}/photo.png`, { door: 'public' });
    await expect.poll(() => storedOf(server, account).then(({ requests }) => requests), { timeout }).toBe(3);
    const { days } = (await server.send('/v1/account/usage', { credential })).json().response;
    expect(days.map((day: any) => day.requests)).toEqual([2, 1]);
    expect(days[0].egress_bytes).toBeGreaterThan(2000);
    expect(days[1].egress_bytes).toBe(2000);
    const { month } = (await server.send('/v1/account/stats', { credential })).json().response;
    expect(month).toMatchObject({ requests: 3, egress_bytes: days[0].egress_bytes + 2000 });
  });
});

it('a server that stops stores what it has counted', async () => {
  const first = await startTestServer({ ownStores: true });
  const account = await first.account();
  await upload(first, account, { bytes: someBytes(2000) });
  const { dataDir, clock } = first;
  await first.running.stop();
  const second = await startTestServer({ ownStores: true, dataDir, clock });
  expect(await storedOf(second, account)).toMatchObject({ requests: 1 });
});
