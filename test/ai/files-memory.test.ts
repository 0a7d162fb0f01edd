import { expect, it, onTestFinished } from 'vitest';

import { startChatUpstream } from '#mocks/chat-upstream.ts';
import { changeAccount } from '#server/domain/account/change-account.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { BodyMemory } from '#server/http/body-memory.ts';
import { aiDoors, sendTo } from '#test/support/ai-doors.ts';
import { until } from '#test/support/chat.ts';
import { upload } from '#test/support/files.ts';
import { startTestServer, type TestAccount, type TestServerOptions } from '#test/support/server.ts';

const prose = (bytes: number) => Buffer.alloc(bytes, 'word ');
const mebibyte = 1_048_576;

async function setUp(options: TestServerOptions = {}, contextTokens = 2_000_000) {
  const upstream = await startChatUpstream();
  onTestFinished(() => upstream.close());
  let bodies!: BodyMemory;
  const env = { CUBBY_AI_UPSTREAM_URL: upstream.url, CUBBY_AI_STREAMING: 'on', ...options.env };
  const server = await startTestServer({ ...options, env, onBodies: (memory) => void (bodies = memory) });
  const account = await server.account('enterprise');
  // So the files fit.
  await changeAccount(server.running.app.stores, { accountId: account.id, aiLimits: { contextTokens } });
  const put = async (bytes: Uint8Array, to: TestAccount = account): Promise<string> => {
    const query = { name: 'a', private: 'true' };
    return (await upload(server, to, { bytes, filename: 'a.txt', query })).json().response.id;
  };
  return { upstream, server, account, put, bodies, held: () => bodies.bytesOf('caller') };
}

/** Counts how often blobs are opened. */
function watched(opened: string[]): (real: BlobStore) => BlobStore {
  return (real) =>
    new Proxy(real, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (name === 'open') opened.push(String(given[0]));
          return Reflect.apply(value, target, given) as unknown;
        };
      },
    });
}

const models = Object.entries(aiDoors).filter(([, { onlyCounts }]) => !onlyCounts);

it.each(models)('%s: files count as memory until the response ends, and for each place', async (_, door) => {
  const { upstream, server, account, put, held } = await setUp();
  const id = await put(prose(mebibyte / 2));
  upstream.answer('silent');
  const client = new AbortController();
  const sent = sendTo(server, door, account.credential, door.body('a', [id, id]), client.signal);
  sent.catch(() => {});
  await until(() => upstream.requests.length === 1);
  expect(held()).toBeGreaterThanOrEqual(mebibyte);
  expect(held()).toBeLessThan(1.1 * mebibyte);
  client.abort();
  await expect(sent).rejects.toThrow();
  await until(() => held() === 0);
});

it.each(Object.entries(aiDoors))('%s: nothing is held after an answer or a refusal', async (_, door) => {
  const { server, account, put, held } = await setUp();
  const id = await put(prose(600));
  expect((await sendTo(server, door, account.credential, door.body('a', [id]))).status).toBe(200);
  await until(() => held() === 0);
  expect((await sendTo(server, door, account.credential, door.body('a', [`${id}x`]))).status).toBe(404);
  await until(() => held() === 0);
});

it.each(models)('%s: without memory for a file the request is rejected, and nothing is read', async (_, door) => {
  const opened: string[] = [];
  const { bodies, server, account, put } = await setUp({ env: { CUBBY_BODY_MEMORY: '16MiB' }, blobs: watched(opened) });
  const id = await put(prose(Math.floor(0.9 * mebibyte)));
  const send = () => sendTo(server, door, account.credential, door.body('a', [id]));
  // Callers have 12 MiB, and one address has half of them.
  const others = [6, 5.5].map((size, at) => {
    const hold = bodies.open('caller', `other ${at}`, () => {});
    hold.take(size * mebibyte);
    return hold;
  });
  const answer = await send();
  expect([answer.status, answer.json().error.code]).toEqual([503, 'server_overloaded']);
  expect(opened).toEqual([]);
  for (const hold of others) hold.release();
  expect((await send()).status).toBe(200);
});

it.each(Object.entries(aiDoors))(
  '%s: the same file is read once, and one that cannot fit not at all',
  async (_, door) => {
    const opened: string[] = [];
    const { server, account, put } = await setUp({ blobs: watched(opened) }, 32_768);
    const small = await put(prose(20_000));
    expect((await sendTo(server, door, account.credential, door.body('a', [small, small]))).status).toBe(200);
    expect(opened).toHaveLength(1);
    const large = await put(prose(2.5 * mebibyte));
    const answer = await sendTo(server, door, account.credential, door.body('a', [small, large, large]));
    expect([answer.status, answer.json().error.code]).toEqual([400, 'context_length_exceeded']);
    expect(opened).toHaveLength(1);
  },
);
