import { describe, expect, it } from 'vitest';

import { cdnHook, type CdnHookOptions } from '#server/features/files/backends/cdn-hook.ts';
import { CdnUnavailable } from '#server/domain/ports/cdn.ts';
import { startHookServer } from '#test/support/hook-server.ts';

const urls = [
  'https://cdn.example.com/204815162342108999/a.png',
  'https://cdn.example.com/204815162342108999/b%20c.png',
];

/** Starts a hook, and a CDN that calls it with short pauses between tries. */
async function start(options: Partial<CdnHookOptions> = {}, path = '/purge', credentials = '') {
  const hook = await startHookServer();
  const url = `http://${credentials}127.0.0.1:${hook.port}${path}`;
  return { hook, cdn: cdnHook({ url, timeoutMs: 300, pausesMs: [10, 10], ...options }) };
}

const failureOf = async (work: Promise<void>): Promise<Error> => {
  const error = await work.then(
    () => new Error('It was agreed to.'),
    (thrown: unknown) => thrown as Error,
  );
  expect(error).toBeInstanceOf(CdnUnavailable);
  return error;
};

describe('cdnHook()', () => {
  it('posts the URLs as JSON to the whole address, and accepts any 2xx', async () => {
    const { hook, cdn } = await start({}, '/purge?token=s3cret');
    for (const status of [200, 202, 204]) {
      hook.answer = (res) => res.writeHead(status).end();
      await cdn.purge(urls);
    }
    expect(hook.calls).toHaveLength(3);
    expect(hook.calls[0]).toMatchObject({
      method: 'POST',
      path: '/purge?token=s3cret',
      headers: { 'content-type': 'application/json' },
      body: { urls },
    });
    expect(hook.calls[0]!.headers.authorization).toBeUndefined();
  });

  it('sends the user name and password of the address as Basic authorization', async () => {
    const { hook, cdn } = await start({}, '/purge', 'cubby:p%40ss%3Aword@');
    await cdn.purge(urls);
    expect(hook.calls[0]!.headers.authorization).toBe(`Basic ${Buffer.from('cubby:p@ss:word').toString('base64')}`);
  });

  it.each([500, 503, 429, 408])(
    'tries three times when the hook answers %i, then throws an error with the status',
    async (status) => {
      const { hook, cdn } = await start();
      hook.answer = (res) => res.writeHead(status).end('secret words of the hook');
      expect((await failureOf(cdn.purge(urls))).message).toBe(`The CDN purge hook answered ${status}.`);
      expect(hook.calls).toHaveLength(3);
    },
  );

  it('succeeds when a later try succeeds', async () => {
    const { hook, cdn } = await start();
    hook.answer = (res) => res.writeHead(hook.calls.length < 3 ? 500 : 200).end();
    await cdn.purge(urls);
    expect(hook.calls).toHaveLength(3);
  });

  it.each([400, 401, 404])('does not try again when the hook answers %i', async (status) => {
    const { hook, cdn } = await start();
    hook.answer = (res) => res.writeHead(status).end();
    await failureOf(cdn.purge(urls));
    expect(hook.calls).toHaveLength(1);
  });

  it.each([301, 302, 307, 308])('throws on a %i redirect and does not follow it', async (status) => {
    const elsewhere = await startHookServer();
    const { hook, cdn } = await start();
    hook.answer = (res) => res.writeHead(status, { Location: `http://127.0.0.1:${elsewhere.port}/` }).end();
    expect((await failureOf(cdn.purge(urls))).message).toContain('a redirect, which is not followed');
    expect([hook.calls.length, elsewhere.calls.length]).toEqual([1, 0]);
  });

  it('gives up when the hook does not answer in time', async () => {
    const { hook, cdn } = await start({ timeoutMs: 50 });
    hook.answer = () => {};
    const startedAt = performance.now();
    expect((await failureOf(cdn.purge(urls))).message).toBe('The CDN purge hook did not answer within 0.05 seconds.');
    expect(hook.calls).toHaveLength(3);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  it('gives up when the hook cannot be reached', async () => {
    const { hook, cdn } = await start();
    await hook.close();
    expect((await failureOf(cdn.purge(urls))).message).toBe('The CDN purge hook could not be reached (ECONNREFUSED).');
  });

  it('gives up when the hook closes the connection', async () => {
    const { hook, cdn } = await start();
    hook.answer = (res) => res.destroy();
    expect((await failureOf(cdn.purge(urls))).message).toMatch(/could not be reached \(\w+\)\.$/);
  });

  it('does not wait for a body that is slow or never ends', async () => {
    const { hook, cdn } = await start({ timeoutMs: 60_000 });
    hook.answer = (res) => {
      res.writeHead(200);
      const timer = setInterval(() => res.write('x'.repeat(100_000)), 5);
      res.on('close', () => clearInterval(timer));
    };
    const startedAt = performance.now();
    await cdn.purge(urls);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  it('names no part of the address when it fails', async () => {
    const { hook, cdn } = await start({}, '/hooks/s3cret?token=s3cret', 's3cret:s3cret@');
    const answers: Array<typeof hook.answer> = [
      (res) => res.writeHead(500).end('s3cret'),
      (res) => res.writeHead(302, { Location: '/s3cret' }).end(),
      (res) => res.destroy(),
      () => {},
    ];
    for (const answer of answers) {
      hook.answer = answer;
      const error = await failureOf(cdn.purge(urls));
      expect([error.message, error.stack, JSON.stringify(error), error.cause].join()).not.toContain('s3cret');
    }
  });
});
