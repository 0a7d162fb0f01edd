import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deliveryOf } from '#test/support/git-deliveries.ts';
import { gitHooks, textOf, type GitHooks, type Hooked } from '#test/support/git-hooks.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let account: TestAccount;
let hooks: GitHooks;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
  hooks = gitHooks(server, account);
});
afterAll(() => server.stop());

const ask = (method: string, { appId }: Pick<Hooked, 'appId'>, body?: unknown, credential = account.credential) =>
  server.send(`/v2/apps/${appId}/deploy/filters`, {
    method,
    credential,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function filtered(filters: object): Promise<Hooked> {
  const hooked = await hooks.newHook();
  expect((await ask('PUT', hooked, filters)).status).toBe(200);
  return hooked;
}

const before = '4'.repeat(40);
const after = 'a'.repeat(40);

/** A push as GitHub, GitLab and Gitea send it. */
function pushOf(
  commits: ReadonlyArray<Readonly<Record<string, unknown>>>,
  more: Readonly<Record<string, unknown>> = {},
) {
  return { object_kind: 'push', ref: 'refs/heads/main', before, after, commits, ...more };
}

const commit = (files: Readonly<Record<string, unknown>>) => ({ id: after, message: 'Change', added: [], ...files });

async function pushed(hooked: Hooked, header: string, event: string, payload: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json', [header]: event };
  const answer = await hooks.deliver(hooked, { headers, body: JSON.stringify(payload) });
  server.clock.advance(15_000);
  const text = textOf(answer);
  expect(answer.status).toBe(text.startsWith('GIT_PUSH_FILTERED: ') ? 202 : 200);
  return text;
}

describe('replaceDeployFilters()', () => {
  it('stores the filters until they are replaced, for the owner alone', async () => {
    const hooked = await hooks.newHook();
    const none = { include_branches: [], exclude_branches: [], include_paths: [], exclude_paths: [] };
    expect((await ask('GET', hooked)).json().response).toEqual(none);
    const stored = { ...none, include_branches: ['main'], exclude_paths: ['**/*.md'] };
    const given = { include_branches: ['main'], exclude_paths: ['**/*.md'] };
    expect((await ask('PUT', hooked, given)).json().response).toEqual(stored);
    expect((await ask('GET', hooked)).json().response).toEqual(stored);
    const stranger = await server.account();
    for (const [method, body] of [['GET'], ['PUT', {}]] as const)
      expect((await ask(method, hooked, body, stranger.credential)).json().code).toBe('APP_NOT_FOUND');
    expect((await ask('PUT', hooked, {})).json().response).toEqual(none);
  });

  it('changes nothing for a text that is no glob', async () => {
    const hooked = await filtered({ include_branches: ['main'] });
    for (const glob of ['/a', 'a//b', 'a**', '']) {
      const answer = await ask('PUT', hooked, { include_paths: ['ok', glob] });
      expect([answer.status, answer.json().code]).toEqual([400, 'INVALID_DEPLOY_FILTER']);
    }
    expect((await ask('GET', hooked)).json().response.include_branches).toEqual(['main']);
  });
});

describe('receiveGitPush() with filters', () => {
  it('answers 202 with the reason for a branch that is not taken, and neither queues nor counts it', async () => {
    const hooked = await filtered({ include_branches: ['main'] });
    const docs = await hooks.deliver(hooked, deliveryOf('github', 'push', { branch: 'docs' }));
    expect([docs.status, textOf(docs)]).toEqual([
      202,
      'GIT_PUSH_FILTERED: The branch docs is not deployed: the filters of the application do not take it. ' +
        'Nothing was deployed.',
    ]);
    expect(await hooks.deploysOf(hooked)).toEqual([]);
    expect((await hooks.deliver(hooked, deliveryOf('github', 'push', { branch: 'main' }))).status).toBe(200);
    expect(await hooks.deploysOf(hooked)).toHaveLength(1);
  });

  it.each([
    ['GitHub', 'x-github-event', 'push', {}],
    ['GitLab', 'x-gitlab-event', 'Push Hook', { total_commits_count: 1 }],
    ['Gitea', 'x-gitea-event', 'push', { total_commits: 1 }],
    ['Forgejo', 'x-forgejo-event', 'push', { total_commits: 1 }],
  ])('compares the changed files of %s', async (_, header, event, more) => {
    const hooked = await filtered({ include_paths: ['web/**'], exclude_paths: ['**/*.md'] });
    const send = (files: object) => pushed(hooked, header, event, pushOf([commit({ ...files })], more));
    for (const kind of ['added', 'removed', 'modified']) {
      expect(await send({ [kind]: ['api/x.ts', 'web/a.md'] })).toMatch(
        /do not take any file .* Nothing was deployed\.$/,
      );
      expect(await send({ [kind]: ['api/x.ts', 'web/a.ts'] })).toMatch(/is queued\.$/);
    }
  });

  it('deploys a push that does not list all files', async () => {
    const hooked = await filtered({ include_paths: ['web/**'] });
    const files = commit({ modified: ['api/x.ts'] });
    const github = (payload: unknown) => pushed(hooked, 'x-github-event', 'push', payload);
    const incomplete: ReadonlyArray<readonly [why: string, text: () => Promise<string>]> = [
      ['no commits', () => github(pushOf([]))],
      ['2048 commits', () => github(pushOf(Array(2048).fill(files)))],
      ['3000 files', () => github(pushOf([commit({ modified: Array.from({ length: 3000 }, (_, at) => `f${at}`) })]))],
      ['a new branch', () => github(pushOf([files], { before: '0'.repeat(40), created: true }))],
      ['a forced push', () => github(pushOf([files], { forced: true }))],
      ['no lists', () => github(pushOf([{ id: after, message: 'Change' }]))],
      ['an empty commit', () => github(pushOf([commit({})]))],
      [
        'null lists',
        () =>
          pushed(hooked, 'x-gitea-event', 'push', pushOf([{ ...files, added: null, modified: null, removed: null }])),
      ],
      [
        'more commits than listed',
        () => pushed(hooked, 'x-gitlab-event', 'Push Hook', pushOf([files], { total_commits_count: 21 })),
      ],
      [
        'more values than are read',
        () =>
          github(
            pushOf(
              Array.from({ length: 20 }, () => commit({ modified: Array.from({ length: 2000 }, (_, at) => `f${at}`) })),
            ),
          ),
      ],
    ];
    for (const [why, text] of incomplete) expect(await text(), why).toMatch(/is queued\.$/);
    expect(await github(pushOf([files]))).toMatch(/Nothing was deployed\.$/);
    for (const host of ['bitbucket-cloud', 'bitbucket-data-center'] as const) {
      const answer = await hooks.deliver(hooked, deliveryOf(host));
      server.clock.advance(15_000);
      expect(textOf(answer)).toMatch(/is queued\.$/);
    }
  });

  it('tells of a push that is not taken by deploy.filtered, of 20 in a window', async () => {
    const own = await server.account();
    const theirs = gitHooks(server, own);
    const hooked = await theirs.newHook();
    await ask('PUT', hooked, { exclude_branches: ['docs'] }, own.credential);
    for (let push = 0; push < 22; push++)
      expect((await theirs.deliver(hooked, deliveryOf('github', 'push', { branch: 'docs' }))).status).toBe(202);
    const { events } = (await server.send('/v1/events?limit=100', { credential: own.credential })).json().response;
    const told = events.filter(({ type }: { type: string }) => type === 'deploy.filtered');
    expect(told).toHaveLength(20);
    expect(told[0].data).toEqual({
      push: {
        app_id: hooked.appId,
        branch: 'docs',
        commit: expect.any(String),
        message: expect.any(String),
        reason: 'branch',
      },
    });
  });
});
