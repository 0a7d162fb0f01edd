import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Deploy } from '#server/domain/deploys/deploy.ts';
import { endDeploy } from '#server/domain/deploys/end-deploy.ts';
import { takeDeploy } from '#server/domain/deploys/take-deploy.ts';
import { createApp } from '#server/domain/apps/create-app.ts';
import type { Deployment } from '#generated/types.ts';
import { after, before, cloudBranch, cloudPush, deliveryOf, hostNames, sealed, signatureOf, type Delivery } from '#test/support/git-deliveries.ts';
import { startTestServer, type TestAccount, type TestAnswer, type TestServer } from '#test/support/server.ts';

const nothing = 'Nothing was deployed.';
const secret = 'a secret of the host';
const other = 'b'.repeat(40);

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
});
afterAll(() => server.stop());

interface Hooked {
  readonly appId: string;
  /** The path of its webhook. */
  readonly hook: string;
}

async function newHook(options: { readonly secret?: string; readonly on?: TestServer; readonly of?: TestAccount } = {}): Promise<Hooked> {
  const { on = server, of = account } = options;
  const { id: appId } = (await createApp(on.running.app.stores, { accountId: of.id, name: 'shop' }))!;
  const answer = await set(appId, { access_token: 'token-of-the-host', ...(options.secret !== undefined && { secret: options.secret }) }, on, of);
  return { appId, hook: new URL(answer.json().response.webhook).pathname };
}

function set(appId: string, body: unknown, on = server, of = account): Promise<TestAnswer> {
  return on.send(`/v2/apps/${appId}/deploy/webhook`, { method: 'POST', credential: of.credential, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

function deliver({ hook }: Hooked, { headers, body }: Delivery, on = server): Promise<TestAnswer> {
  return on.send(hook, { method: 'POST', headers, body });
}

const textOf = (answer: TestAnswer) => answer.body.toString();

async function deploysOf({ appId }: Hooked): Promise<Deployment[]> {
  return (await server.send(`/v2/apps/${appId}/deployments`, { credential: account.credential })).json().response.deployments;
}

async function currentOf({ appId }: Hooked): Promise<{ readonly webhook: string | null; readonly last: Deployment | null }> {
  return (await server.send(`/v2/apps/${appId}/deployments/current`, { credential: account.credential })).json().response;
}

/** Lets the next push pass. */
const later = () => server.clock.advance(15_000);

describe.each(hostNames)('receiveGitPush() of %s', (host) => {
  const shown = host === 'bitbucket-data-center' ? null : 'Show the invoice of April';

  it.each([['JSON', false], ['a form', true]])('answers 200 to a push as %s, and the deploy is pending', async (_, asForm) => {
    const hooked = await newHook();
    const answer = await deliver(hooked, deliveryOf(host, 'push', { asForm }));
    const [deploy, ...more] = await deploysOf(hooked);
    expect([answer.status, textOf(answer)]).toEqual([200, `Deploy ${deploy!.id} of main at 9f2c1ab is queued.`]);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(more).toEqual([]);
    expect(deploy).toMatchObject({ state: 'pending', branch: 'main', commit: after, message: shown });
  });

  it('answers 200 to a push without commits, and deploys the commit that the branch stands at', async () => {
    const hooked = await newHook();
    expect((await deliver(hooked, deliveryOf(host, 'without-commits', { branch: 'feature/a-b' }))).status).toBe(200);
    expect(await deploysOf(hooked)).toMatchObject([{ branch: 'feature/a-b', commit: after }]);
  });

  it.each([
    ['a push of a tag', 'tag', /^GIT_REF_NOT_SUPPORTED: (refs\/tags\/)?v1\.4\.0 is no branch\. Nothing was deployed\.$/],
    ['a push that deletes a branch', 'deletion', /^GIT_BRANCH_DELETED: The push deletes the branch main\. Nothing was deployed\.$/],
    ['a ping', 'ping', /^GIT_EVENT_IGNORED: This event is no push\. Nothing was deployed\.$/],
    ['another event', 'other', /^GIT_EVENT_IGNORED: This event is no push\. Nothing was deployed\.$/],
  ] as const)('answers 202 to %s, and the push behind it still deploys', async (_, kind, text) => {
    const hooked = await newHook();
    const answer = await deliver(hooked, deliveryOf(host, kind));
    expect([answer.status, textOf(answer)]).toEqual([202, expect.stringMatching(text)]);
    expect((await deliver(hooked, deliveryOf(host))).status).toBe(200);
    expect((await deliver(hooked, deliveryOf(host, kind))).status).toBe(202);
    expect(await deploysOf(hooked)).toHaveLength(1);
  });

  it('answers 200 again to the same delivery, within the 15 seconds and after them, and deploys nothing more', async () => {
    const hooked = await newHook();
    const delivery = deliveryOf(host, 'push', { id: 'the-same' });
    const first = await deliver(hooked, delivery);
    const second = await deliver(hooked, delivery);
    later();
    const third = await deliver(hooked, delivery);
    expect([first, second, third].map((answer) => [answer.status, textOf(answer)])).toEqual(Array(3).fill([200, textOf(first)]));
    expect(await deploysOf(hooked)).toHaveLength(1);
  });

  it('takes a push that its secret signs, as JSON and as a form, and answers 401 to others', async () => {
    const hooked = await newHook({ secret });
    const { headers, body } = deliveryOf(host, 'push', { secret });
    const wrong = [
      deliveryOf(host),
      deliveryOf(host, 'push', { secret: 'another' }),
      deliveryOf(host, 'ping', { secret: 'another' }),
      ...(host === 'gitlab' ? [] : [{ headers, body: `${body} ` }]),
      { headers: { ...headers, ...Object.fromEntries(Object.keys(signatureOf(host, secret, body)).map((name) => [name, ''])) }, body },
    ];
    for (const delivery of wrong) {
      const answer = await deliver(hooked, delivery);
      expect([answer.status, textOf(answer)]).toEqual([401, expect.stringMatching(/^INVALID_SIGNATURE: .* Nothing was deployed\.$/)]);
    }
    expect(await deploysOf(hooked)).toEqual([]);
    expect((await deliver(hooked, { headers, body })).status).toBe(200);
    later();
    expect((await deliver(hooked, deliveryOf(host, 'push', { secret, asForm: true, commit: other }))).status).toBe(200);
  });

  it.each([['no JSON', 'ref'], ['nothing', ''], ['a list', '[]'], ['a text', '"x"'], ['null', 'null'], ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])], ['a fault in a field', '{"ref":7,"after":[],"push":{"changes":7},"changes":7}']])('answers 400 to a push whose body is %s', async (_, body) => {
    const hooked = await newHook();
    const { headers } = deliveryOf(host);
    const answer = await server.send(hooked.hook, { method: 'POST', headers, body });
    expect([answer.status, textOf(answer)]).toEqual([400, expect.stringMatching(/^INVALID_PAYLOAD: .* Nothing was deployed\.$/)]);
    expect(await deploysOf(hooked)).toEqual([]);
  });
});

describe('receiveGitPush()', () => {
  it('knows a host by what only it sends: Forgejo before Gitea before GitHub', async () => {
    const { metadata } = server.running.app.stores;
    for (const host of hostNames) {
      const hooked = await newHook();
      await deliver(hooked, deliveryOf(host));
      const [{ id }] = (await deploysOf(hooked)) as [Deployment];
      expect((await metadata.read.deploys.find(id))!).toMatchObject({ host, repository: 'https://git.invalid/acme/shop.git' });
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

  it('reads the messages that newer Bitbucket Data Centers send', async () => {
    const { headers, body } = deliveryOf('bitbucket-data-center');
    const [first, second] = [{ id: after, message: 'The newest' }, { id: other, message: 'Another' }];
    for (const [commits, shown] of [[{ commits: [second, first] }, 'The newest'], [{ toCommit: first, commits: [] }, 'The newest'], [{ toCommit: second, commits: null }, null]] as const) {
      const hooked = await newHook();
      expect((await deliver(hooked, { headers, body: JSON.stringify({ ...JSON.parse(body), ...commits }) })).status).toBe(200);
      expect(await deploysOf(hooked)).toMatchObject([{ commit: after, message: shown }]);
    }
  });

  it('queues a deploy for each branch of one delivery of Bitbucket, and counts it as one push', async () => {
    const hooked = await newHook();
    const branch = (name: string) => ({ old: null, new: cloudBranch({ branch: name, commit: after, message: 'x', repository: '' }) });
    const changes = [branch('main'), { old: cloudBranch({ branch: 'gone', commit: before, message: 'x', repository: '' }), new: null }, { old: null, new: { type: 'tag', name: 'v1', target: { hash: after } } }, branch('next')];
    const answer = await deliver(hooked, sealed('bitbucket-cloud', 'repo:push', cloudPush(changes, 'https://bitbucket.invalid/acme/shop')));
    expect(answer.status).toBe(200);
    expect(textOf(answer).split('\n')).toEqual([expect.stringMatching(/ of main at /), expect.stringMatching(/ of next at /)]);
    expect((await deploysOf(hooked)).map(({ branch: name }) => name)).toEqual(['next', 'main']);
  });

  it('answers 400 to a push of more than 100 branches, and queues none of them', async () => {
    const hooked = await newHook();
    const changes = Array.from({ length: 101 }, (_, index) => ({ old: null, new: cloudBranch({ branch: `b${index}`, commit: after, message: 'x', repository: '' }) }));
    const answer = await deliver(hooked, sealed('bitbucket-cloud', 'repo:push', cloudPush(changes, 'https://bitbucket.invalid/acme/shop')));
    expect([answer.status, textOf(answer)]).toEqual([400, `INVALID_PAYLOAD: The push names more than 100 branches. Push fewer at once. ${nothing}`]);
    expect(await deploysOf(hooked)).toEqual([]);
  });

  it.each(['-x', 'a..b', 'a b', '.a', 'a/.b', 'a.lock', 'a/', '/a', 'a\u0000b', 'a~1', 'a:b', '@', 'a@{1}', '', '\ud800', 'x'.repeat(1025), '--upload-pack=x'])('answers 400 to a push of a branch whose name is %j', async (branch) => {
    const hooked = await newHook();
    expect((await deliver(hooked, deliveryOf('github', 'push', { branch }))).status).toBe(400);
  });

  it.each(['', 'HEAD', '-x', 'g'.repeat(40), after.slice(1), `${after}0`, after.toUpperCase(), '--upload-pack=x'])('answers 400 to a push whose commit is %j', async (commit) => {
    const hooked = await newHook();
    expect((await deliver(hooked, deliveryOf('github', 'push', { commit }))).status).toBe(400);
  });

  it('takes a commit of SHA-256', async () => {
    const hooked = await newHook();
    expect((await deliver(hooked, deliveryOf('github', 'push', { commit: 'c'.repeat(64) }))).status).toBe(200);
    expect(await deploysOf(hooked)).toMatchObject([{ commit: 'c'.repeat(64) }]);
  });

  it('answers KEEP_CALM to a second push within 15 seconds, in JSON, with limits switched off too, and deploys nothing', async () => {
    const hooked = await newHook();
    await deliver(hooked, deliveryOf('github'));
    server.clock.advance(14_000);
    const answer = await deliver(hooked, deliveryOf('github', 'push', { commit: other }));
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.json()).toEqual({ status: 'error', code: 'KEEP_CALM', message: expect.stringMatching(/ Nothing was deployed\.$/) });
    expect(await deploysOf(hooked)).toHaveLength(1);
    server.clock.advance(1000);
    expect((await deliver(hooked, deliveryOf('github', 'push', { commit: other }))).status).toBe(200);
  });

  it('says in the headers what is left of the 15 seconds, where they were counted', async () => {
    const hooked = await newHook();
    const limitOf = (answer: TestAnswer) => [answer.status, answer.headers.get('ratelimit'), answer.headers.get('ratelimit-policy')];
    const pushed = deliveryOf('github');
    expect(limitOf(await deliver(hooked, deliveryOf('github', 'tag')))).toEqual([202, null, null]);
    expect(limitOf(await deliver(hooked, pushed))).toEqual([200, '"git-push";r=0;t=15', '"git-push";q=1;w=15']);
    server.clock.advance(4000);
    expect(limitOf(await deliver(hooked, deliveryOf('github', 'push', { commit: other })))).toEqual([429, '"git-push";r=0;t=11', '"git-push";q=1;w=15']);
    expect(limitOf(await deliver(hooked, pushed))).toEqual([200, null, null]);
  });

  it('keeps the 15 seconds over a restart of the webhook, and not between webhooks', async () => {
    const [hooked, second] = [await newHook(), await newHook()];
    await deliver(hooked, deliveryOf('github'));
    expect((await deliver(second, deliveryOf('github'))).status).toBe(200);
    await set(hooked.appId, { access_token: 'another' });
    expect((await deliver(hooked, deliveryOf('github', 'push', { commit: other }))).status).toBe(429);
  });

  it('answers one of 64 pushes at once 200 and the others KEEP_CALM', async () => {
    const hooked = await newHook();
    const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => deliver(hooked, deliveryOf('github', 'push', { branch: `b${index}` }))));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(63).fill(429)]);
    expect(await deploysOf(hooked)).toHaveLength(1);
  });

  it('answers all of 32 copies of a delivery at once 200, and deploys once', async () => {
    const hooked = await newHook();
    const delivery = deliveryOf('github');
    const answers = await Promise.all(Array.from({ length: 32 }, () => deliver(hooked, delivery)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(textOf)).size).toBe(1);
    expect(await deploysOf(hooked)).toHaveLength(1);
  });

  it('knows the same bytes again under another id, also once the branch has moved on', async () => {
    const hooked = await newHook();
    const first = deliveryOf('gitea');
    const answered = textOf(await deliver(hooked, first));
    later();
    await deliver(hooked, deliveryOf('gitea', 'push', { commit: other }));
    later();
    const again = await deliver(hooked, deliveryOf('gitea'));
    expect([again.status, textOf(again)]).toEqual([200, answered]);
    expect((await deploysOf(hooked)).map(({ commit }) => commit)).toEqual([other, after]);
  });

  it('deploys the same bytes again once the branch has moved on, when they do not say from where', async () => {
    const hooked = await newHook();
    const push = (commit: string) => deliver(hooked, sealed('github', 'push', { ref: 'refs/heads/main', after: commit }));
    await push(after);
    expect((await push(after)).status).toBe(200);
    expect(await deploysOf(hooked)).toHaveLength(1);
    later();
    await push(other);
    later();
    expect((await push(after)).status).toBe(200);
    expect((await deploysOf(hooked)).map(({ commit }) => commit)).toEqual([after, other, after]);
  });

  it('does not take another push for a redelivery because it comes under the same id', async () => {
    const hooked = await newHook();
    await deliver(hooked, deliveryOf('github', 'push', { id: 'the-same' }));
    later();
    expect((await deliver(hooked, deliveryOf('github', 'push', { id: 'the-same', commit: other }))).status).toBe(200);
    expect((await deploysOf(hooked)).map(({ commit }) => commit)).toEqual([other, after]);
  });

  it('knows a delivery by its id, also once the branch has moved on', async () => {
    const hooked = await newHook();
    const first = deliveryOf('github', 'push', { id: 'first' });
    const answered = textOf(await deliver(hooked, first));
    later();
    await deliver(hooked, deliveryOf('github', 'push', { commit: other }));
    later();
    const again = await deliver(hooked, first);
    expect([again.status, textOf(again)]).toEqual([200, answered]);
    expect((await deploysOf(hooked)).map(({ commit, state }) => [commit, state])).toEqual([[other, 'pending'], [after, 'superseded']]);
  });

  it('lets a newer push take the place of one that waits, and leaves other branches alone', async () => {
    const hooked = await newHook();
    await deliver(hooked, deliveryOf('github', 'push', { commit: after }));
    later();
    await deliver(hooked, deliveryOf('github', 'push', { branch: 'next' }));
    later();
    await deliver(hooked, deliveryOf('github', 'push', { commit: other }));
    expect((await deploysOf(hooked)).map(({ branch, commit, state }) => [branch, commit, state])).toEqual([['main', other, 'pending'], ['next', after, 'pending'], ['main', after, 'superseded']]);
  });

  it('answers the same 404 to every unknown webhook, whatever is sent there', async () => {
    const hooked = await newHook();
    await set(hooked.appId, { access_token: '@' });
    const paths = [hooked.hook, '/v2/git/webhook/x', `/v2/git/webhook/${'a'.repeat(26)}`, `/v2/git/webhook/${'a'.repeat(200)}`, '/v2/git/webhook/%zz', '/v2/git/webhook/%00', "/v2/git/webhook/'--"];
    const bodies = [deliveryOf('github').body, '', 'x', 'x'.repeat(6_000_000)];
    const answers = [];
    for (const path of paths) for (const body of bodies) answers.push(await server.send(path, { method: 'POST', body }));
    expect(new Set(answers.map((answer) => `${answer.status} ${textOf(answer)}`))).toEqual(new Set([expect.stringMatching(/^404 WEBHOOK_NOT_FOUND: .* Nothing was deployed\.$/)]));
  });

  it('answers 413 to a payload over 3 MiB, and takes one of just that', async () => {
    const hooked = await newHook();
    const { headers, body } = deliveryOf('github');
    const padded = body + ' '.repeat(3_145_728 - Buffer.byteLength(body));
    const over = await deliver(hooked, { headers, body: `${padded} ` });
    expect([over.status, textOf(over)]).toEqual([413, `BODY_TOO_LARGE: The payload is over 3 MiB. ${nothing}`]);
    expect((await deliver(hooked, { headers, body: padded })).status).toBe(200);
  });

  it('ends what reaches no operation with its sentence too', async () => {
    const hooked = await newHook();
    for (const [method, path, status] of [['GET', hooked.hook, 405], ['PUT', hooked.hook, 405], ['POST', '/v2/git/webhook/', 404], ['POST', '/v2/git/nothing', 404]] as const) {
      const answer = await server.send(path, { method });
      expect([answer.status, textOf(answer)]).toEqual([status, expect.stringMatching(/^[A-Z_]+: .* Nothing was deployed\.$/)]);
    }
  });
});

describe('setGitWebhook()', () => {
  it('answers the same address again, and replaces the secret, also by none', async () => {
    const hooked = await newHook({ secret });
    const signed = (change: Parameters<typeof deliveryOf>[2]) => deliver(hooked, deliveryOf('github', 'push', { commit: other, ...change }));
    const again = await set(hooked.appId, { access_token: 'x', secret: 'new' });
    expect(new URL(again.json().response.webhook).pathname).toBe(hooked.hook);
    expect((await signed({ secret })).status).toBe(401);
    expect((await signed({ secret: 'new' })).status).toBe(200);
    await set(hooked.appId, { access_token: 'x' });
    later();
    expect((await signed({ commit: before })).status).toBe(200);
  });

  it.each(hostNames)('takes a secret with blanks at its ends from %s, and nothing in the place of one that is all blank', async (host) => {
    const hooked = await newHook({ secret: ' a secret ' });
    expect((await deliver(hooked, deliveryOf(host, 'push', { secret: ' a secret ' }))).status).toBe(200);
    const blank = await newHook({ secret: ' ' });
    const { headers, body } = deliveryOf(host);
    for (const value of ['', ' ', 'sha256=']) {
      const unsigned = Object.fromEntries(Object.keys(signatureOf(host, 'x', body)).map((name) => [name, value]));
      expect((await deliver(blank, { headers: { ...headers, ...unsigned }, body })).status).toBe(401);
    }
  });

  it('takes what a signing token of GitLab signs, also beside other signatures, and its text where that is sent as a secret token', async () => {
    const key = Buffer.alloc(32, 7);
    const token = `whsec_${key.toString('base64')}`;
    const hooked = await newHook({ secret: token });
    const sign = (body: string, change: Readonly<Record<string, string>> = {}): Delivery => {
      const { headers } = deliveryOf('gitlab');
      const [id, timestamp] = ['a-delivery', '1776763800'];
      const signature = createHmac('sha256', change.key ?? key).update(`${id}.${timestamp}.${body}`).digest('base64');
      return { headers: { ...headers, 'webhook-id': change.id ?? id, 'webhook-timestamp': change.timestamp ?? timestamp, 'webhook-signature': `${change.others ?? ''}v1,${signature}` }, body };
    };
    const { body } = deliveryOf('gitlab');
    const wrong = [sign(body, { key: token }), sign(body, { id: 'another' }), sign(body, { timestamp: '1776763801' }), { ...sign(body), body: `${body} ` }, { headers: { ...sign(body).headers, 'webhook-signature': '' }, body }];
    for (const delivery of [...wrong, deliveryOf('gitlab')]) expect((await deliver(hooked, delivery)).status).toBe(401);
    expect((await deliver(hooked, sign(body, { others: 'v1,b3RoZXI= v2,x ' }))).status).toBe(200);
    later();
    expect((await deliver(hooked, deliveryOf('gitlab', 'push', { secret: token, commit: other }))).status).toBe(200);
    // A hook may have both, of which the webhook knows the secret token.
    const plain = await newHook({ secret });
    const both = deliveryOf('gitlab', 'push', { secret });
    expect((await deliver(plain, { ...both, headers: { ...both.headers, ...sign(both.body).headers, 'X-Gitlab-Token': secret } })).status).toBe(200);
  });

  it('removes the webhook with @, once and again, and makes a new address afterwards', async () => {
    const hooked = await newHook();
    for (let round = 0; round < 2; round++) expect((await set(hooked.appId, { access_token: '@' })).json()).toEqual({ status: 'success' });
    expect((await deliver(hooked, deliveryOf('github'))).status).toBe(404);
    expect((await currentOf(hooked)).webhook).toBeNull();
    const anew = (await set(hooked.appId, { access_token: 'x' })).json().response.webhook;
    expect(anew).not.toContain(hooked.hook);
  });

  it('stores token, secret and address so that nothing of them can be read in the database or in the log', async () => {
    const hooked = await newHook({ secret: 'hidden-secret-9' });
    await set(hooked.appId, { access_token: 'hidden-token-8', secret: 'hidden-secret-9' });
    const row = await server.running.app.stores.metadata.read.gitWebhooks.find(hooked.appId);
    const kept = JSON.stringify(row) + Buffer.from(row!.codeHash).toString('latin1') + JSON.stringify(server.log);
    for (const text of ['hidden-token-8', 'hidden-secret-9', hooked.hook.split('/').at(-1)!]) expect(kept).not.toContain(text);
    const { secrets } = server.running.app.stores;
    expect(secrets.unseal('git-access-token', row!.sealedToken, hooked.appId)).toBe('hidden-token-8');
    expect(secrets.unseal('git-access-token', row!.sealedToken, 'app_another')).toBeUndefined();
    expect(secrets.unseal('git-webhook-secret', row!.sealedToken, hooked.appId)).toBeUndefined();
  });
});

describe('getCurrentDeployment()', () => {
  it('answers the webhook and the newest deploy, and every change of them at once', async () => {
    const hooked = await newHook();
    const { webhook, last } = await currentOf(hooked);
    expect([new URL(webhook!).pathname, last]).toEqual([hooked.hook, null]);
    await deliver(hooked, deliveryOf('github'));
    expect((await currentOf(hooked)).last).toMatchObject({ state: 'pending', commit: after });
    later();
    await deliver(hooked, deliveryOf('github', 'push', { commit: other }));
    expect((await currentOf(hooked)).last).toMatchObject({ commit: other });
    await set(hooked.appId, { access_token: '@' });
    expect(await currentOf(hooked)).toMatchObject({ webhook: null, last: { commit: other, state: 'pending' } });
    const { stores } = server.running.app;
    // Pushes of other tests wait as well.
    const taken: Deploy[] = [];
    for (let next = (await takeDeploy(stores)).deploy; next; next = (await takeDeploy(stores)).deploy) taken.push(next);
    expect((await currentOf(hooked)).last).toMatchObject({ state: 'running' });
    for (const deploy of taken) await endDeploy(stores, deploy, 'success');
    expect((await currentOf(hooked)).last).toMatchObject({ state: 'success' });
  });
});

describe('listDeployments()', () => {
  it('answers page after page, newest first, without gap or copy', async () => {
    const hooked = await newHook();
    for (let index = 0; index < 7; index++) {
      await deliver(hooked, deliveryOf('github', 'push', { branch: `b${index}` }));
      later();
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query: string = cursor === undefined ? 'limit=3' : `limit=3&cursor=${encodeURIComponent(cursor)}`;
      const page = (await server.send(`/v2/apps/${hooked.appId}/deployments?${query}`, { credential: account.credential })).json().response;
      seen.push(...page.deployments.map(({ branch }: Deployment) => branch));
      cursor = page.continuationToken;
    } while (cursor !== undefined);
    expect(seen).toEqual(['b6', 'b5', 'b4', 'b3', 'b2', 'b1', 'b0']);
  });
});
