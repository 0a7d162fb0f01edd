import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closing, fileHead, multipart, multipartType } from '#test/contract/bad-input/multipart.ts';
import { openRequest, rawSend } from '#test/contract/bad-input/raw-request.ts';
import { StoredState } from '#test/contract/bad-input/stored-state.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let state: StoredState;

beforeAll(async () => {
  server = await startTestServer();
  state = new StoredState(server);
});
afterAll(async () => {
  state.close();
  await server.stop();
});

async function accountWith(quotaBytes: number | null): Promise<TestAccount> {
  const account = await server.account();
  await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, quotaBytes));
  return account;
}

async function usage({ id }: TestAccount): Promise<{ usedBytes: number; usedObjects: number; reservedBytes: number }> {
  const { usedBytes, usedObjects, reservedBytes } = (await server.running.app.stores.metadata.read.accounts.find(id))!;
  return { usedBytes, usedObjects, reservedBytes };
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 50_000) {
    yield bytes.subarray(at, at + 50_000);
    await new Promise(setImmediate);
  }
}

interface Sending {
  readonly isSized?: boolean;
  readonly query?: string;
}

function upload(
  { credential }: TestAccount,
  name: string,
  bytes: number,
  { isSized = true, query = '' }: Sending = {},
) {
  const body = multipart(Buffer.alloc(bytes, 'q'));
  return rawSend(server, {
    method: 'POST',
    path: `/v1/objects?name=${name}${query}`,
    credential,
    headers: { 'Content-Type': multipartType },
    body: isSized ? body : inPieces(body),
  });
}

const sizes = [
  ['small', 3_000],
  ['as large as the database takes', 16_384],
  ['just too large for the database', 16_385],
  ['large', 150_000],
] as const;

const framings = [
  ['with', true],
  ['without', false],
] as const;

const kinds = sizes.flatMap(([what, bytes]) => framings.map(([how, isSized]) => ({ what, bytes, how, isSized })));

describe('uploadObject() and the quota', () => {
  it.each(kinds)(
    'takes a file that fits exactly and not one byte more, when it is $what and comes $how Content-Length',
    async ({ bytes, isSized }) => {
      const account = await accountWith(3 * bytes);
      await upload(account, 'first', bytes);
      await upload(account, 'second', bytes);
      const refused = await state.unchangedBy(() => upload(account, 'over', bytes + 1, { isSized }));
      expect(refused.json().code).toBe('STORAGE_QUOTA_EXCEEDED');

      expect((await upload(account, 'third', bytes, { isSized })).status).toBe(200);
      expect(await usage(account)).toEqual({ usedBytes: 3 * bytes, usedObjects: 3, reservedBytes: 0 });
      const full = await state.unchangedBy(() => upload(account, 'fourth', 512, { isSized }));
      expect(full.json().code).toBe('STORAGE_QUOTA_EXCEEDED');
    },
  );

  it.each(kinds)(
    'stores exactly the 7 of 32 parallel files that fit, when they are $what and come $how Content-Length',
    async ({ bytes, isSized }) => {
      const account = await accountWith(8 * bytes - 1);
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, at) => upload(account, `file${at}`, bytes, { isSized })),
      );
      const outcomes = answers.map((answer) => (answer.status === 200 ? 'stored' : answer.json().code));
      expect(outcomes.filter((one) => one === 'stored')).toHaveLength(7);
      expect(outcomes.filter((one) => one === 'STORAGE_QUOTA_EXCEEDED')).toHaveLength(25);
      expect(await usage(account)).toEqual({ usedBytes: 7 * bytes, usedObjects: 7, reservedBytes: 0 });
    },
  );

  it('never exceeds the quota with parallel files of every size and framing', async () => {
    const account = await accountWith(1_000_000);
    const rounds = process.env.CUBBY_TEST_LONG ? 20 : 1;
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, at) =>
          upload(account, `r${round}n${at}`, 512 + ((at * 7919 + round * 104_729) % 200_000), {
            isSized: at % 2 === 0,
          }),
        ),
      );
      const stored = answers
        .filter(({ status }) => status === 200)
        .map((answer) => answer.json().response.size as number);
      const sum = stored.reduce((total, size) => total + size, 0);
      expect(sum).toBeLessThanOrEqual(1_000_000);
      expect(await usage(account)).toEqual({ usedBytes: sum, usedObjects: stored.length, reservedBytes: 0 });
      const ids = answers.filter(({ status }) => status === 200).map((answer) => answer.json().response.id as string);
      await rawSend(server, {
        method: 'DELETE',
        path: '/v1/objects',
        credential: account.credential,
        body: JSON.stringify({ objects: ids }),
      });
      expect(await usage(account)).toEqual({ usedBytes: 0, usedObjects: 0, reservedBytes: 0 });
    }
  });

  it.each(framings)('counts only the difference of a replacing file, %s Content-Length', async (_, isSized) => {
    const account = await accountWith(150_000);
    await upload(account, 'same', 150_000);
    const refused = await state.unchangedBy(() => upload(account, 'same', 150_001, { isSized }));
    expect(refused.json().code).toBe('STORAGE_QUOTA_EXCEEDED');
    expect((await upload(account, 'same', 150_000, { isSized })).json().response).toMatchObject({ replaced: true });
    expect(await usage(account)).toEqual({ usedBytes: 150_000, usedObjects: 1, reservedBytes: 0 });
  });

  it('is freed at once when a file is deleted', async () => {
    const account = await accountWith(150_000);
    const { id } = (await upload(account, 'first', 150_000)).json().response;
    expect((await upload(account, 'second', 512)).json().code).toBe('STORAGE_QUOTA_EXCEEDED');
    await rawSend(server, {
      method: 'DELETE',
      path: '/v1/objects',
      credential: account.credential,
      body: JSON.stringify({ object: id }),
    });
    expect((await upload(account, 'second', 150_000)).status).toBe(200);
  });

  it('reserves the announced size of an upload, and rejects others by their headers meanwhile', async () => {
    const account = await accountWith(200_000);
    const headers = (bytes: number) => ({
      'Content-Type': multipartType,
      'Content-Length': String(fileHead().length + bytes + closing.length),
    });
    const open = (bytes: number, name: string) =>
      openRequest(server, {
        method: 'POST',
        path: `/v1/objects?name=${name}`,
        credential: account.credential,
        headers: headers(bytes),
      });
    const first = open(150_000, 'first');
    first.wire.write(Buffer.concat([Buffer.from(fileHead()), Buffer.alloc(50_000)]));
    await expect.poll(async () => (await usage(account)).reservedBytes, { interval: 5 }).toBe(150_000);

    const second = open(52_000, 'second');
    second.wire.write(Buffer.concat([Buffer.from(fileHead()), Buffer.alloc(20_000)]));
    expect((await second.answer).json().code, 'before the rest of it is sent').toBe('STORAGE_QUOTA_EXCEEDED');
    second.wire.destroy();
    expect((await upload(account, 'small', 10_000)).status, 'what is left is for others').toBe(200);
    expect((await upload(account, 'smaller', 15_000)).status).toBe(200);
    expect((await upload(account, 'full', 16_000, { isSized: false })).status).toBe(200);
    expect((await upload(account, 'over', 9_001)).json().code).toBe('STORAGE_QUOTA_EXCEEDED');

    first.wire.end(Buffer.concat([Buffer.alloc(100_000), Buffer.from(closing)]));
    expect((await first.answer).status).toBe(200);
    expect(await usage(account)).toEqual({ usedBytes: 191_000, usedObjects: 4, reservedBytes: 0 });
  });

  it('takes a file that fits exactly also when blanks behind its form make the Content-Length larger', async () => {
    const account = await accountWith(150_000);
    const body = Buffer.concat([multipart(Buffer.alloc(150_000)), Buffer.from('\r\n\r\n')]);
    const answer = await rawSend(server, {
      method: 'POST',
      path: '/v1/objects?name=padded',
      credential: account.credential,
      headers: { 'Content-Type': multipartType },
      body,
    });
    expect(answer.status).toBe(200);
    expect(await usage(account)).toEqual({ usedBytes: 150_000, usedObjects: 1, reservedBytes: 0 });
  });

  it('accepts nothing if the quota is 0, and everything if it is not set', async () => {
    expect((await upload(await accountWith(0), 'none', 512)).json().code).toBe('STORAGE_QUOTA_EXCEEDED');
    expect((await upload(await accountWith(null), 'any', 150_000)).status).toBe(200);
  });

  it('accepts no more into an account with a quota below its usage, but lets it read and delete', async () => {
    const account = await accountWith(null);
    const { id } = (await upload(account, 'first', 150_000)).json().response;
    await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, 1_000));
    expect((await state.unchangedBy(() => upload(account, 'second', 512))).json().code).toBe('STORAGE_QUOTA_EXCEEDED');
    expect(
      (await rawSend(server, { path: `/v1/objects/info?object=${id}`, credential: account.credential })).status,
    ).toBe(200);
    const deletion = {
      method: 'DELETE',
      path: '/v1/objects',
      credential: account.credential,
      body: JSON.stringify({ object: id }),
    };
    expect((await rawSend(server, deletion)).status).toBe(200);
    expect(await usage(account)).toEqual({ usedBytes: 0, usedObjects: 0, reservedBytes: 0 });
  });
});
