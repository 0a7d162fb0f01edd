import { describe, expect, it } from 'vitest';

import type { Deployment } from '#generated/types.ts';
import { after, before, cloudBranch, cloudPush, deliveryOf, hostNames, sealed } from '#test/support/git-deliveries.ts';
import { hookedServer, textOf } from '#test/support/git-hooks.ts';
import type { TestAnswer } from '#test/support/server.ts';

const nothing = 'Nothing was deployed.';
const other = 'b'.repeat(40);

const hooks = hookedServer();
const { newHook, set, deliver, deploysOf, later } = hooks;

describe.each(hostNames)('receiveGitPush() of %s', (host) => {
  const shown = host === 'bitbucket-data-center' ? null : 'Show the invoice of April';

  it.each([
    ['JSON', false],
    ['a form', true],
  ])('returns 200 for a push as %s, and makes a pending deploy', async (_, asForm) => {
    const hooked = await newHook();
    const answer = await deliver(hooked, deliveryOf(host, 'push', { asForm }));
    const [deploy, ...more] = await deploysOf(hooked);
    expect([answer.status, textOf(answer)]).toEqual([200, `Deploy ${deploy!.id} of main at 9f2c1ab is queued.`]);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(more).toEqual([]);
    expect(deploy).toMatchObject({ state: 'pending', branch: 'main', commit: after, message: shown });
  });

  it('returns 200 for a push without commits, and deploys the commit of the branch', async () => {
    const hooked = await newHook();
    expect((await deliver(hooked, deliveryOf(host, 'without-commits', { branch: 'feature/a-b' }))).status).toBe(200);
    expect(await deploysOf(hooked)).toMatchObject([{ branch: 'feature/a-b', commit: after }]);
  });

  it.each([
    [
      'a push of a tag',
      'tag',
      /^GIT_REF_NOT_SUPPORTED: (refs\/tags\/)?v1\.4\.0 is no branch\. Nothing was deployed\.$/,
    ],
    [
      'a push that deletes a branch',
      'deletion',
      /^GIT_BRANCH_DELETED: The push deletes the branch main\. Nothing was deployed\.$/,
    ],
    ['a ping', 'ping', /^GIT_EVENT_IGNORED: This event is no push\. Nothing was deployed\.$/],
    ['another event', 'other', /^GIT_EVENT_IGNORED: This event is no push\. Nothing was deployed\.$/],
  ] as const)('returns 202 for %s, and still deploys the push after it', async (_, kind, text) => {
    const hooked = await newHook();
    const answer = await deliver(hooked, deliveryOf(host, kind));
    expect([answer.status, textOf(answer)]).toEqual([202, expect.stringMatching(text)]);
    expect((await deliver(hooked, deliveryOf(host))).status).toBe(200);
    expect((await deliver(hooked, deliveryOf(host, kind))).status).toBe(202);
    expect(await deploysOf(hooked)).toHaveLength(1);
  });

  it.each([
    ['not JSON', 'ref'],
    ['empty', ''],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['an object with a wrong field', '{"ref":7,"after":[],"push":{"changes":7},"changes":7}'],
  ])('returns 400 for a push whose body is %s', async (_, body) => {
    const hooked = await newHook();
    const { headers } = deliveryOf(host);
    const answer = await hooks.server.send(hooked.hook, { method: 'POST', headers, body });
    expect([answer.status, textOf(answer)]).toEqual([
      400,
      expect.stringMatching(/^INVALID_PAYLOAD: .* Nothing was deployed\.$/),
    ]);
    expect(await deploysOf(hooked)).toEqual([]);
  });
});

describe('receiveGitPush()', () => {
  it('recognises a host by its own headers, checked in the order Forgejo, Gitea, GitHub', async () => {
    const { metadata } = hooks.server.running.app.stores;
    for (const host of hostNames) {
      const hooked = await newHook();
      await deliver(hooked, deliveryOf(host));
      const [{ id }] = (await deploysOf(hooked)) as [Deployment];
      expect((await metadata.read.deploys.find(id))!).toMatchObject({
        host,
        repository: 'https://git.invalid/acme/shop.git',
      });
    }
  });

  it('reads a push by its fields when no header names its host', async () => {
    for (const host of hostNames) {
      const hooked = await newHook();
      const { body } = deliveryOf(host);
      expect((await deliver(hooked, { headers: { 'Content-Type': 'application/json' }, body })).status, host).toBe(200);
      expect(await deploysOf(hooked)).toMatchObject([{ branch: 'main', commit: after }]);
    }
  });

  it('reads the messages of newer Bitbucket Data Centers', async () => {
    const { headers, body } = deliveryOf('bitbucket-data-center');
    const [first, second] = [
      { id: after, message: 'The newest' },
      { id: other, message: 'Another' },
    ];
    for (const [commits, shown] of [
      [{ commits: [second, first] }, 'The newest'],
      [{ toCommit: first, commits: [] }, 'The newest'],
      [{ toCommit: second, commits: null }, null],
    ] as const) {
      const hooked = await newHook();
      expect(
        (await deliver(hooked, { headers, body: JSON.stringify({ ...JSON.parse(body), ...commits }) })).status,
      ).toBe(200);
      expect(await deploysOf(hooked)).toMatchObject([{ commit: after, message: shown }]);
    }
  });

  it('queues a deploy for each branch of one delivery of Bitbucket, and counts it as one push', async () => {
    const hooked = await newHook();
    const branch = (name: string) => ({
      old: null,
      new: cloudBranch({ branch: name, commit: after, message: 'x', repository: '' }),
    });
    const changes = [
      branch('main'),
      { old: cloudBranch({ branch: 'gone', commit: before, message: 'x', repository: '' }), new: null },
      { old: null, new: { type: 'tag', name: 'v1', target: { hash: after } } },
      branch('next'),
    ];
    const answer = await deliver(
      hooked,
      sealed('bitbucket-cloud', 'repo:push', cloudPush(changes, 'https://bitbucket.invalid/acme/shop')),
    );
    expect(answer.status).toBe(200);
    expect(textOf(answer).split('\n')).toEqual([
      expect.stringMatching(/ of main at /),
      expect.stringMatching(/ of next at /),
    ]);
    expect((await deploysOf(hooked)).map(({ branch: name }) => name)).toEqual(['next', 'main']);
  });

  it('returns 400 for a push of more than 100 branches, and queues none of them', async () => {
    const hooked = await newHook();
    const changes = Array.from({ length: 101 }, (_, index) => ({
      old: null,
      new: cloudBranch({ branch: `b${index}`, commit: after, message: 'x', repository: '' }),
    }));
    const answer = await deliver(
      hooked,
      sealed('bitbucket-cloud', 'repo:push', cloudPush(changes, 'https://bitbucket.invalid/acme/shop')),
    );
    expect([answer.status, textOf(answer)]).toEqual([
      400,
      `INVALID_PAYLOAD: The push names more than 100 branches. Push fewer at once. ${nothing}`,
    ]);
    expect(await deploysOf(hooked)).toEqual([]);
  });

  it.each([
    '-x',
    'a..b',
    'a b',
    '.a',
    'a/.b',
    'a.lock',
    'a/',
    '/a',
    'a\u0000b',
    'a~1',
    'a:b',
    '@',
    'a@{1}',
    '',
    '\ud800',
    'x'.repeat(1025),
    '--upload-pack=x',
  ])('returns 400 for a push of a branch with the name %j', async (branch) => {
    const hooked = await newHook();
    expect((await deliver(hooked, deliveryOf('github', 'push', { branch }))).status).toBe(400);
  });

  it.each(['', 'HEAD', '-x', 'g'.repeat(40), after.slice(1), `${after}0`, after.toUpperCase(), '--upload-pack=x'])(
    'returns 400 for a push with the commit %j',
    async (commit) => {
      const hooked = await newHook();
      expect((await deliver(hooked, deliveryOf('github', 'push', { commit }))).status).toBe(400);
    },
  );

  it('accepts a SHA-256 commit', async () => {
    const hooked = await newHook();
    expect((await deliver(hooked, deliveryOf('github', 'push', { commit: 'c'.repeat(64) }))).status).toBe(200);
    expect(await deploysOf(hooked)).toMatchObject([{ commit: 'c'.repeat(64) }]);
  });

  it('returns KEEP_CALM for a second push within 15 seconds, also with limits off, and deploys nothing', async () => {
    const hooked = await newHook();
    await deliver(hooked, deliveryOf('github'));
    hooks.server.clock.advance(14_000);
    const answer = await deliver(hooked, deliveryOf('github', 'push', { commit: other }));
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.json()).toEqual({
      status: 'error',
      code: 'KEEP_CALM',
      message: expect.stringMatching(/ Nothing was deployed\.$/),
    });
    expect(await deploysOf(hooked)).toHaveLength(1);
    hooks.server.clock.advance(1000);
    expect((await deliver(hooked, deliveryOf('github', 'push', { commit: other }))).status).toBe(200);
  });

  it('sends the rest of the 15 seconds in the headers, if the push was counted', async () => {
    const hooked = await newHook();
    const limitOf = (answer: TestAnswer) => [
      answer.status,
      answer.headers.get('ratelimit'),
      answer.headers.get('ratelimit-policy'),
    ];
    const pushed = deliveryOf('github');
    expect(limitOf(await deliver(hooked, deliveryOf('github', 'tag')))).toEqual([202, null, null]);
    expect(limitOf(await deliver(hooked, pushed))).toEqual([200, '"git-push";r=0;t=15', '"git-push";q=1;w=15']);
    hooks.server.clock.advance(4000);
    expect(limitOf(await deliver(hooked, deliveryOf('github', 'push', { commit: other })))).toEqual([
      429,
      '"git-push";r=0;t=11',
      '"git-push";q=1;w=15',
    ]);
    expect(limitOf(await deliver(hooked, pushed))).toEqual([200, null, null]);
  });

  it('keeps the 15 seconds when the webhook is set up again, and counts them for each webhook', async () => {
    const [hooked, second] = [await newHook(), await newHook()];
    await deliver(hooked, deliveryOf('github'));
    expect((await deliver(second, deliveryOf('github'))).status).toBe(200);
    await set(hooked.appId, { access_token: 'another' });
    expect((await deliver(hooked, deliveryOf('github', 'push', { commit: other }))).status).toBe(429);
  });

  it('accepts one of 64 parallel pushes with 200, and returns KEEP_CALM for the others', async () => {
    const hooked = await newHook();
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => deliver(hooked, deliveryOf('github', 'push', { branch: `b${index}` }))),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(63).fill(429)]);
    expect(await deploysOf(hooked)).toHaveLength(1);
  });

  it('replaces a waiting push only by a newer one of the same branch', async () => {
    const hooked = await newHook();
    await deliver(hooked, deliveryOf('github', 'push', { commit: after }));
    later();
    await deliver(hooked, deliveryOf('github', 'push', { branch: 'next' }));
    later();
    await deliver(hooked, deliveryOf('github', 'push', { commit: other }));
    expect((await deploysOf(hooked)).map(({ branch, commit, state }) => [branch, commit, state])).toEqual([
      ['main', other, 'pending'],
      ['next', after, 'pending'],
      ['main', after, 'superseded'],
    ]);
  });

  it('returns the same 404 for every unknown webhook and every request', async () => {
    const hooked = await newHook();
    await set(hooked.appId, { access_token: '@' });
    const paths = [
      hooked.hook,
      '/v2/git/webhook/x',
      `/v2/git/webhook/${'a'.repeat(26)}`,
      `/v2/git/webhook/${'a'.repeat(200)}`,
      '/v2/git/webhook/%zz',
      '/v2/git/webhook/%00',
      "/v2/git/webhook/'--",
    ];
    const bodies = [deliveryOf('github').body, '', 'x', 'x'.repeat(6_000_000)];
    const answers = [];
    for (const path of paths)
      for (const body of bodies) answers.push(await hooks.server.send(path, { method: 'POST', body }));
    expect(new Set(answers.map((answer) => `${answer.status} ${textOf(answer)}`))).toEqual(
      new Set([expect.stringMatching(/^404 WEBHOOK_NOT_FOUND: .* Nothing was deployed\.$/)]),
    );
  });

  it('returns 413 for a payload over 25 MB, and accepts one of exactly 25 MB', async () => {
    const hooked = await newHook();
    const { headers, body } = deliveryOf('github');
    const padded = body + ' '.repeat(26_214_400 - Buffer.byteLength(body));
    const over = await deliver(hooked, { headers, body: `${padded} ` });
    expect([over.status, textOf(over)]).toEqual([413, `BODY_TOO_LARGE: The payload is over 25 MB. ${nothing}`]);
    expect((await deliver(hooked, { headers, body: padded })).status).toBe(200);
  });

  it('adds its closing sentence to replies to unrouted requests', async () => {
    const hooked = await newHook();
    for (const [method, path, status] of [
      ['GET', hooked.hook, 405],
      ['PUT', hooked.hook, 405],
      ['POST', '/v2/git/webhook/', 404],
      ['POST', '/v2/git/nothing', 404],
    ] as const) {
      const answer = await hooks.server.send(path, { method });
      expect([answer.status, textOf(answer)]).toEqual([
        status,
        expect.stringMatching(/^[A-Z_]+: .* Nothing was deployed\.$/),
      ]);
    }
  });
});
