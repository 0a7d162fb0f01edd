import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApp } from '#server/features/apps/create-app.ts';
import type { Deploy } from '#server/features/deploys/deploy.ts';
import { endDeploy } from '#server/features/deploys/end-deploy.ts';
import { takeDeploy } from '#server/features/deploys/take-deploy.ts';
import { deployLogFile } from '#server/features/deploys/stores/filesystem/deploy-logs.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import { gitHooks, type GitHooks, type Hooked } from '#test/support/git-hooks.ts';
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

const send = (method: string, path: string, credential = account.credential, headers = {}) =>
  server.send(path, { method, credential, headers });

/** Pushes a commit to a new application. */
async function pushed(): Promise<Hooked & { readonly id: string }> {
  const hooked = await hooks.newHook();
  await hooks.deliver(hooked, deliveryOf('github'));
  return { ...hooked, id: (await hooks.deploysOf(hooked))[0]!.id };
}

/** Takes the deploy, as a runner does. Others that wait are taken too, and end. */
async function begin(id: string): Promise<Deploy> {
  const { stores } = server.running.app;
  for (;;) {
    const { deploy } = await takeDeploy(stores);
    if (deploy?.id === id) return deploy;
    await endDeploy(stores, deploy!, 'success');
  }
}

async function print(id: string, text: string): Promise<void> {
  const file = deployLogFile(server.dataDir, id);
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, text);
}

const states = async (hooked: Hooked) => (await hooks.deploysOf(hooked)).map(({ state }) => state);

describe('runDeployment()', () => {
  it('queues the commit of an earlier deploy again, in the place of a waiting one', async () => {
    const app = await pushed();
    await endDeploy(server.running.app.stores, await begin(app.id), 'failure');
    const path = `/v2/apps/${app.appId}/deployments/${app.id}/redeploy`;
    const first = (await send('POST', path)).json().response;
    const [, original] = await hooks.deploysOf(app);
    expect(first).toMatchObject({ state: 'pending', branch: original!.branch, commit: original!.commit });
    expect(first.message).toBe('Show the invoice of April');
    expect((await send('POST', path)).json().response.id).not.toBe(first.id);
    expect(await states(app)).toEqual(['pending', 'superseded', 'error']);
  });

  it('does not know deploys of other applications and accounts', async () => {
    const [app, other] = [await pushed(), await pushed()];
    const stranger = await server.account();
    const theirs = (await createApp(server.running.app.stores, { accountId: stranger.id, name: 'shop' }))!.id;
    for (const what of ['redeploy', 'cancel', 'logs']) {
      const code = async (path: string, credential?: string) =>
        (await send(what === 'logs' ? 'GET' : 'POST', `/v2/apps/${path}/${what}`, credential)).json().code;
      expect(await code(`${app.appId}/deployments/${other.id}`)).toBe('DEPLOYMENT_NOT_FOUND');
      expect(await code(`${app.appId}/deployments/dep_1`)).toBe('DEPLOYMENT_NOT_FOUND');
      expect(await code(`${app.appId}/deployments/${app.id}`, stranger.credential)).toBe('APP_NOT_FOUND');
      expect(await code(`${theirs}/deployments/${app.id}`, stranger.credential)).toBe('DEPLOYMENT_NOT_FOUND');
    }
    expect([await states(app), await states(other)]).toEqual([['pending'], ['pending']]);
  });
});

describe('abortDeployment()', () => {
  const cancel = async (app: Hooked & { readonly id: string }) =>
    (await send('POST', `/v2/apps/${app.appId}/deployments/${app.id}/cancel`)).json().response;

  it('cancels a waiting deploy at once, and leaves it so', async () => {
    const app = await pushed();
    expect(await cancel(app)).toMatchObject({ state: 'cancelled', cancel_requested: true });
    expect(await cancel(app)).toMatchObject({ state: 'cancelled' });
    expect((await hooks.currentOf(app)).last).toMatchObject({ state: 'cancelled' });
  });

  it('cancels a running deploy when its runner stops it, and does not try it again', async () => {
    const app = await pushed();
    const taken = await begin(app.id);
    expect(await cancel(app)).toMatchObject({ state: 'running', cancel_requested: true });
    expect(await endDeploy(server.running.app.stores, taken, 'stopped')).toMatchObject({ state: 'cancelled' });
    expect(await states(app)).toEqual(['cancelled']);
  });

  it('keeps the result of a command that has ended first', async () => {
    const app = await pushed();
    const taken = await begin(app.id);
    await cancel(app);
    await endDeploy(server.running.app.stores, taken, 'success');
    expect(await cancel(app)).toMatchObject({ state: 'success', cancel_requested: true });
  });

  it('cancels a deploy whose runner is lost', async () => {
    const app = await pushed();
    await begin(app.id);
    await cancel(app);
    server.clock.advance(60_000);
    await takeDeploy(server.running.app.stores);
    expect(await states(app)).toEqual(['cancelled']);
  });

  it('decides with a runner that takes it at the same time: cancelled, or asked to stop', async () => {
    for (let round = 0; round < 10; round++) {
      const app = await pushed();
      const [after, taken] = await Promise.all([cancel(app), takeDeploy(server.running.app.stores)]);
      const [state] = await states(app);
      if (taken.deploy?.id === app.id) {
        expect([after.state, state]).toEqual(['running', 'running']);
        await endDeploy(server.running.app.stores, taken.deploy, 'stopped');
      }
      expect(await states(app)).toEqual(['cancelled']);
    }
  });
});

describe('getDeploymentLogs()', () => {
  const logs = async (app: Hooked & { readonly id: string }, query = '') =>
    (await send('GET', `/v2/apps/${app.appId}/deployments/${app.id}/logs?${query}`)).json();

  it('returns whole lines page by page, until the deploy has ended', async () => {
    const app = await pushed();
    expect((await logs(app)).response).toMatchObject({ lines: [], complete: false });
    const taken = await begin(app.id);
    await print(app.id, 'one\n\u001b[31mtwo\u001b[0m\n<script>alert(1)</script>\nfou');
    const first = (await logs(app, 'limit=2')).response;
    expect(first).toMatchObject({ lines: ['one', '\u001b[31mtwo\u001b[0m'], complete: false });
    const second = (await logs(app, `cursor=${first.cursor}`)).response;
    expect(second).toMatchObject({ lines: ['<script>alert(1)</script>'], complete: false });
    await print(app.id, 'r\nlast');
    await endDeploy(server.running.app.stores, taken, 'success');
    const third = (await logs(app, `cursor=${second.cursor}`)).response;
    expect(third).toMatchObject({ lines: ['four', 'last'], complete: true });
    expect((await logs(app, `cursor=${third.cursor}`)).response).toMatchObject({ lines: [], complete: true });
  });

  it('never runs as a page', async () => {
    const app = await pushed();
    await begin(app.id);
    await print(app.id, '<script>alert(1)</script>\n');
    const answer = await send('GET', `/v2/apps/${app.appId}/deployments/${app.id}/logs`, account.credential, {
      accept: 'text/html',
    });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('rejects the cursor of another deploy, and one that was changed', async () => {
    const [app, other] = [await pushed(), await pushed()];
    const { cursor } = (await logs(app)).response;
    for (const wrong of [`1${cursor}`, `${cursor}a`, 'x'])
      expect((await logs(app, `cursor=${wrong}`)).code).toBe('INVALID_CONTINUATION_TOKEN');
    expect((await logs(other, `cursor=${cursor}`)).code).toBe('INVALID_CONTINUATION_TOKEN');
  });

  it('answers 404 when the output of a deploy that has run is gone', async () => {
    const app = await pushed();
    await endDeploy(server.running.app.stores, await begin(app.id), 'success');
    expect((await logs(app)).code).toBe('DEPLOYMENT_LOG_NOT_FOUND');
  });

  it('streams the lines of a running deploy up to its end, and goes on behind a line', async () => {
    const app = await pushed();
    const taken = await begin(app.id);
    await print(app.id, 'one\n');
    const path = `/v2/apps/${app.appId}/deployments/${app.id}/logs`;
    const accept = { accept: 'text/event-stream' };
    const streaming = send('GET', path, account.credential, accept);
    await print(app.id, 'two\n');
    await endDeploy(server.running.app.stores, taken, 'success');
    const answer = await streaming;
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const text = answer.body.toString();
    expect(text).toMatch(
      /data: \{"line":"one"\}\n\n.*data: \{"line":"two"\}\n\n.*event: end\n.*data: \{"state":"success"\}/s,
    );
    const [, behindOne = ''] = /id: (\S+)\ndata: \{"line":"one"\}/.exec(text) ?? [];
    const again = await send('GET', path, account.credential, { ...accept, 'last-event-id': behindOne });
    expect(again.body.toString()).not.toContain('one');
    expect(again.body.toString()).toContain('"two"');
  });

  it('opens ten streams of an account at once, and no more', async () => {
    const app = await pushed();
    const taken = await begin(app.id);
    const path = `/v2/apps/${app.appId}/deployments/${app.id}/logs`;
    const open = Array.from({ length: 14 }, () =>
      send('GET', path, account.credential, { accept: 'text/event-stream' }),
    );
    const refused = await Promise.all(
      open.map((answer) =>
        Promise.race([answer.then(({ status }) => status), new Promise((end) => setTimeout(end, 1500, 'open'))]),
      ),
    );
    expect(refused.filter((status) => status === 429)).toHaveLength(4);
    expect(refused.filter((status) => status === 'open')).toHaveLength(10);
    await endDeploy(server.running.app.stores, taken, 'stopped');
    await send('POST', `${path.replace('/logs', '/cancel')}`);
    await Promise.all(open);
  });
});
