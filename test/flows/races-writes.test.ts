import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { formWith, sha256, someBytes } from '#test/support/files.ts';
import { chunking } from '#test/support/chunked.ts';
import { serialUploads, tus } from '#test/support/serial.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';
import { tokenOf } from '#test/support/upload-tokens.ts';

const rounds = process.env.CUBBY_TEST_LONG === '1' ? 200 : 3;
const parallel = 24;

describe(`writes at once that may win once (${rounds} rounds)`, { timeout: 60_000 + rounds * 5_000 }, () => {
  let server: TestServer;
  beforeAll(async () => void (server = await startTestServer()));
  afterAll(() => server.stop());

  const { create, open, append, head, draftAppend } = serialUploads(() => server);
  const { start } = chunking(() => server);
  const together = <T>(request: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: parallel }, (_, index) => request(index)));

  const put = (
    { credential }: Pick<TestAccount, 'credential'>,
    name: string,
    bytes: Buffer,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    server.send(`/v1/objects?${new URLSearchParams({ name })}`, {
      method: 'POST',
      credential,
      headers,
      body: formWith(bytes),
    });
  const info = async ({ credential }: TestAccount, id: string) =>
    (await server.send(`/v1/objects/info?object=${encodeURIComponent(id)}`, { credential })).json().response;
  const usage = async ({ id }: TestAccount) => {
    const { usedBytes, usedObjects, reservedBytes } =
      (await server.running.app.stores.metadata.read.accounts.find(id))!;
    return { usedBytes, usedObjects, reservedBytes };
  };

  /** Returns the index of the one request that won. All others must have met its file. */
  function winner(answers: readonly TestAnswer[]): number {
    const won = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    expect(won).toHaveLength(1);
    for (const { status } of answers) expect([200, 412]).toContain(status);
    return won[0]!;
  }

  it('with If-None-Match: * create a file once', async () => {
    for (let round = 0; round < rounds; round++) {
      const account = await server.account('enterprise');
      const bytes = Array.from({ length: parallel }, (_, index) => someBytes(600 + index));
      const answers = await together((index) => put(account, 'once', bytes[index]!, { 'If-None-Match': '*' }));
      const won = winner(answers);
      const { id } = answers[won]!.json().response;
      expect((await info(account, id)).sha256).toBe(sha256(bytes[won]!));
      expect(await usage(account)).toEqual({ usedBytes: 600 + won, usedObjects: 1, reservedBytes: 0 });
    }
  });

  it('with If-Match replace a file once', async () => {
    const account = await server.account('enterprise');
    let { id, etag } = (await put(account, 'known', someBytes(600))).json().response;
    for (let round = 0; round < rounds; round++) {
      const bytes = Array.from({ length: parallel }, () => someBytes(700));
      const known = etag as string;
      const answers = await together((index) => put(account, 'known', bytes[index]!, { 'If-Match': `"${known}"` }));
      const won = winner(answers);
      ({ id, etag } = answers[won]!.json().response);
      expect(await info(account, id)).toMatchObject({ sha256: sha256(bytes[won]!), etag });
      expect(await usage(account)).toEqual({ usedBytes: 700, usedObjects: 1, reservedBytes: 0 });
    }
  });

  it('at one offset of an upload, over tus and the draft, are stored once', async () => {
    const account = await server.account('enterprise');
    for (let round = 0; round < rounds; round++) {
      const [half, sizeBytes] = [2000, 4000];
      const address = await open(account, sizeBytes, {}, { name: `serial-${round}` });
      /** The number of the request whose bytes must be in each half. Undefined if any request's may. */
      const winners: Array<number | undefined> = [];
      for (const offset of [0, half]) {
        const answers = await together((index) => {
          const bytes = Buffer.alloc(half, index + 1);
          if (index % 2 === 0) return append(account, address, offset, bytes);
          return draftAppend(account, address, offset, bytes, offset === 0 ? '?0' : '?1');
        });
        for (const { status } of answers) expect([200, 201, 204, 409, 423]).toContain(status);
        const won = answers.flatMap(({ status }, index) => (status < 300 ? [index + 1] : []));
        expect(won.length).toBeLessThanOrEqual(1);
        winners.push(won[0]);
        // A request that a newer one has ended may have stored its bytes, or some of them, and then answers 423.
        const reached = Number((await head(account, address, tus)).headers.get('upload-offset'));
        if (won.length === 1) expect(reached).toBe(offset + half);
        const rest = offset + half - reached;
        if (rest > 0) expect((await append(account, address, reached, Buffer.alloc(rest, 255))).status).toBe(204);
      }
      const { id } = (await server.send(address, { credential: account.credential, headers: tus })).json().response;
      const { url } = await info(account, id);
      const { body } = await server.send(new URL(url).pathname, { door: 'public' });
      expect(body).toHaveLength(sizeBytes);
      for (const [at, winner] of winners.entries()) {
        const values = new Set(body.subarray(at * half, (at + 1) * half));
        values.delete(255);
        expect(values.size).toBeLessThanOrEqual(1);
        if (winner !== undefined) expect([...values]).toEqual([winner]);
      }
      expect(await usage(account)).toEqual({
        usedBytes: (round + 1) * sizeBytes,
        usedObjects: round + 1,
        reservedBytes: 0,
      });
    }
  });

  it('by an upload token are as many as its uses, in any protocol', async () => {
    for (let round = 0; round < rounds; round++) {
      const account = await server.account('enterprise');
      const token = { credential: await tokenOf(server, account, { max_uses: 5 }) };
      const answers = await together((index) =>
        index % 3 === 0
          ? put(token, `t${index}`, someBytes(600))
          : index % 3 === 1
            ? create(token, { 'Upload-Length': '600' }, { name: `t${index}` })
            : start(token, { name: `t${index}` }),
      );
      const won = answers.filter(({ status }) => status === 200 || status === 201);
      expect(won).toHaveLength(5);
      for (const answer of answers) if (!won.includes(answer)) expect(answer.json().code).toBe('UPLOAD_TOKEN_USED');
      expect((await put(token, 'late', someBytes(600))).json().code).toBe('UPLOAD_TOKEN_USED');
    }
  });
});
