import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApp } from '#server/features/apps/create-app.ts';
import { deliveryOf, hostNames, type Delivery } from '#test/support/git-deliveries.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
const runs = isLong ? 100_000 : 500;

let server: TestServer;
let hook: string;
beforeAll(async () => {
  server = await startTestServer();
  const account = await server.account();
  const { id } = (await createApp(server.running.app.stores, { accountId: account.id, name: 'shop' }))!;
  const answer = await server.send(`/v2/apps/${id}/deploy/webhook`, {
    method: 'POST',
    credential: account.credential,
    body: '{"access_token":"token"}',
  });
  hook = new URL(answer.json().response.webhook).pathname;
});
afterAll(() => server.stop());

const kinds = ['push', 'tag', 'deletion', 'ping', 'other', 'without-commits'] as const;

/** Values that replace another one. */
const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e308,
    true,
    [],
    {},
    [[]],
    '\u0000',
    '\ud800',
    '../..',
    '-x',
    '__proto__',
    'refs/heads/',
    'refs/heads/a b',
    'x'.repeat(5000),
    '0'.repeat(40),
    { new: null },
    [null],
  ),
);

/** Replaces or removes one of the values at any depth. */
function spoiled(value: unknown, at: number, by: unknown): { readonly value: unknown; readonly left: number } {
  if (at === 0) return { value: by, left: -1 };
  let left = at - 1;
  if (typeof value !== 'object' || value === null) return { value, left };
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (left < 0) return [key, inner];
    const result = spoiled(inner, left, by);
    left = result.left;
    return [key, result.value];
  });
  return {
    value: Array.isArray(value)
      ? entries.map(([, inner]) => inner)
      : Object.fromEntries(entries.filter(([, inner]) => inner !== undefined)),
    left,
  };
}

/** A real delivery with some damaged values, headers or bytes. */
const deliveries: fc.Arbitrary<Delivery> = fc
  .record({
    host: fc.constantFrom(...hostNames),
    kind: fc.constantFrom(...kinds),
    asForm: fc.boolean(),
    changes: fc.array(fc.tuple(fc.nat(60), fc.option(odd, { nil: undefined })), { maxLength: 3 }),
    cut: fc.option(fc.tuple(fc.nat(3000), fc.nat(50)), { freq: 6 }),
    event: fc.option(
      fc.constantFrom(
        'push',
        'delete',
        'Push Hook',
        'Tag Push Hook',
        'System Hook',
        'repo:push',
        'repo:refs_changed',
        'constructor',
        '__proto__',
        'toString',
        '',
      ),
      { freq: 3 },
    ),
    dropped: fc.option(fc.nat(8), { freq: 3 }),
    type: fc.option(
      fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', ''),
      { freq: 4 },
    ),
  })
  .map(({ host, kind, asForm, changes, cut, event, dropped, type }) => {
    const { headers, body } = deliveryOf(host, kind);
    let payload: unknown = JSON.parse(body);
    for (const [at, by] of changes) payload = spoiled(payload, at, by).value;
    const json = JSON.stringify(payload) ?? '';
    const whole = asForm ? new URLSearchParams({ payload: json }).toString() : json;
    const bytes = cut ? whole.slice(0, cut[0]) + whole.slice(cut[0] + cut[1]) : whole;
    const kept = Object.entries(headers).filter((_, index) => index !== dropped);
    const changed = kept.map(([name, value]) => [
      name,
      event !== null && /-Event$|-Event-Key$/.test(name) ? event : value,
    ]);
    return {
      headers: {
        ...Object.fromEntries(changed),
        ...(asForm && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...(type !== null && { 'Content-Type': type }),
      },
      body: bytes.toWellFormed(),
    };
  });

describe(`receiveGitPush() of ${runs} damaged deliveries`, () => {
  it('sends each its own kind of reply, and never a 5xx', { timeout: 60_000 + runs * 240 }, async () => {
    const statuses = new Map<number, number>();
    const bytes = fc.oneof(
      { weight: 9, arbitrary: deliveries },
      {
        weight: 1,
        arbitrary: fc.record({
          headers: fc.constant({ 'X-GitHub-Event': 'push' }),
          body: fc.string({ unit: 'binary', maxLength: 300 }).map((text) => text.toWellFormed()),
        }),
      },
    );
    await fc.assert(
      fc.asyncProperty(bytes, async ({ headers, body }) => {
        // The limit of 15 seconds is over, so that a delivery that is still well-formed is stored too.
        server.clock.advance(15_000);
        const answer = await server.send(hook, { method: 'POST', headers, body });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const text = answer.body.toString();
        if (answer.status === 200) return void expect(text).toMatch(/^Deploy dep_/);
        expect([202, 400]).toContain(answer.status);
        expect(text).toMatch(/^[A-Z_]+: [^]* Nothing was deployed\.$/);
      }),
      { numRuns: runs },
    );
    console.log(
      `${runs} spoiled deliveries: ${[...statuses].map(([status, count]) => `${status} × ${count}`).join(', ')}`,
    );
    expect([...statuses.keys()].sort()).toEqual([200, 202, 400]);
    expect(server.log.filter(({ message }) => message === 'fault')).toEqual([]);
  });
});
