import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { runChild } from '#server/features/deploys/commands/child.ts';
import { cancelDeploy } from '#server/features/deploys/cancel-deploy.ts';
import type { Deploy } from '#server/features/deploys/deploy.ts';
import { queuePush } from '#server/features/deploys/queue-push.ts';
import { setWebhook } from '#server/features/deploys/set-webhook.ts';
import { createApp } from '#server/features/apps/create-app.ts';
import { webhookCredential } from '#server/features/deploys/webhook.ts';
import type { Stores } from '#server/stores/open.ts';
import { needPrograms } from '#test/support/need-programs.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';
import { cubbyHere, type Cubby } from '#test/cli/cubby.ts';
import { timeLimit } from '#test/cli/time-limit.ts';

const root = join(import.meta.dirname, '../../../..');
const env = { PATH: process.env.PATH!, SHOWN_TO_COMMAND: 'yes', CUBBY_MASTER_KEY: 'k'.repeat(40) };

let server: TestServer;
let account: TestAccount;
let stores: Stores;
let folder: string;
let cubby: Cubby;
/** A bare repository with one commit on `main`. */
let repository: string;
let commit: string;
beforeAll(async () => {
  server = await startTestServer({ env: { CUBBY_MASTER_KEY: env.CUBBY_MASTER_KEY } });
  account = await server.account();
  ({ stores } = server.running.app);
  cubby = cubbyHere(server.dataDir, env);
  folder = await mkdtemp(join(tmpdir(), 'cubby-deploys-'));
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=Ada', '-c', 'user.email=ada@shop.invalid', '-c', 'init.defaultBranch=main', ...args],
      { cwd: folder, encoding: 'utf8' },
    ).trim();
  git('init', '--quiet', 'copy');
  await writeFile(join(folder, 'copy/deploy.sh'), 'echo deployed\n');
  git('-C', 'copy', 'add', '.');
  git('-C', 'copy', 'commit', '--quiet', '--message', 'First');
  commit = git('-C', 'copy', 'rev-parse', 'HEAD');
  git('-C', 'copy', 'commit', '--quiet', '--allow-empty', '--message', 'Second');
  git('clone', '--quiet', '--bare', 'copy', 'shop.git');
  repository = `file://${folder}/shop.git`;
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function newApp(): Promise<{
  readonly appId: string;
  readonly codeHashes: readonly Uint8Array[];
  readonly secret: undefined;
}> {
  const { id: appId } = (await createApp(stores, { accountId: account.id, name: 'shop' }))!;
  const code = await setWebhook(stores, {
    accountId: account.id,
    appId,
    accessToken: 'token-of-the-host',
    secret: undefined,
  });
  return { appId, codeHashes: [stores.secrets.credentialHash(webhookCredential(code))], secret: undefined };
}

let pushes = 0;

/** Queues a deploy, as a push does. */
async function queue(
  change: {
    readonly repository?: string | null;
    readonly commit?: string;
    readonly branch?: string;
    readonly app?: Awaited<ReturnType<typeof newApp>>;
  } = {},
): Promise<Deploy> {
  const webhook = change.app ?? (await newApp());
  const { deploys } = await queuePush(stores, {
    webhook,
    push: { host: 'github', repository: change.repository === undefined ? repository : change.repository },
    branches: [{ kind: 'branch', branch: change.branch ?? 'main', commit: change.commit ?? commit, message: null }],
    delivery: {
      idHash: Buffer.from(`push ${pushes++}`),
      bodyHash: Buffer.from(`body ${pushes}`),
      isKnownByBody: false,
      tellsBefore: true,
    },
    windowMs: 0,
  });
  queued.push(deploys[0]!);
  return deploys[0]!;
}

const queued: Deploy[] = [];
// A deploy that a test leaves waiting for its next try could run in a later test.
afterEach(() =>
  stores.metadata.atomically(async (tx) => {
    for (const { id } of queued.splice(0)) {
      const deploy = await tx.deploys.find(id);
      if (deploy?.state === 'pending') await tx.deploys.change(deploy, { ...deploy, state: 'superseded' });
    }
  }),
);

const run = (command: string, ...more: readonly string[]) =>
  cubby.json('deploys', 'run', '--once', '--from', `file://${folder}`, ...more, '--exec', command);
const show = ({ id }: Deploy) => cubby.json('deploys', 'show', id);

/** Checks that a process has ended. A machine may leave dead processes listed, as Z, for a while. */
function expectGone(pid: string): void {
  needPrograms('ps');
  expect(spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim()).toMatch(/^(Z.*)?$/);
}

describe('runChild()', () => {
  it('kills processes of its group that ignore SIGTERM, after the grace period', async () => {
    const ending = new AbortController();
    let printed = '';
    const output = (bytes: Buffer) => {
      printed += bytes;
      if (printed.includes('begun')) ending.abort();
    };
    const child = runChild('sh', ['-c', `sh -c 'trap "" TERM; echo begun $$; while :; do sleep 1; done' & sleep 60`], {
      cwd: folder,
      env,
      output,
      signal: ending.signal,
      graceMs: 300,
    });
    expect(await child).toMatchObject({ code: null, signal: 'SIGTERM' });
    expectGone(/begun (\d+)/.exec(printed)![1]!);
  });
});

describe('deploys run', () => {
  it('runs the command in the commit, with the variables of the deploy and without those of Cubby', async () => {
    const deploy = await queue();
    expect(await run('git rev-parse HEAD; cat deploy.sh; env; exit 0')).toEqual([
      { id: deploy.id, app_id: deploy.appId, state: 'success' },
    ]);
    const { state, log, message } = await show(deploy);
    expect({ state, message }).toEqual({ state: 'success', message: 'First' });
    for (const line of [
      commit,
      'echo deployed',
      'SHOWN_TO_COMMAND=yes',
      `CUBBY_APP_ID=${deploy.appId}`,
      `CUBBY_COMMIT=${commit}`,
      'CUBBY_BRANCH=main',
      `CUBBY_DEPLOY_ID=${deploy.id}`,
      'CUBBY_MESSAGE=First',
      `CUBBY_REPOSITORY=${repository}`,
    ]) {
      expect(log.split('\n')).toContain(line);
    }
    expect(log).not.toMatch(/CUBBY_MASTER_KEY|CUBBY_DATA_DIR|token-of-the-host/);
    expect(log).toMatch(/\[cubby\] The command ended with exit code 0\.\n$/);
    expect(await readdir(join(server.dataDir, 'deploys/work'))).toEqual([]);
  });

  it('marks a deploy whose command fails as an error, and does not try it again', async () => {
    const deploy = await queue();
    expect(await run('echo to stderr >&2; exit 3')).toMatchObject([{ state: 'error' }]);
    expect((await show(deploy)).log).toMatch(/to stderr\n\[cubby\] The command ended with exit code 3\./);
    expect(await run('true')).toEqual([]);
  });

  it('ends a command that takes too long, with the processes that it started', async () => {
    const deploy = await queue();
    const limit = timeLimit(1_000);
    const ended = run(`sh -c 'echo begun $$; sleep 60' & sleep 60`, '--timeout', '1');
    await expect.poll(async () => (await show(deploy)).log).toMatch(/begun/);
    limit.pass();
    expect(await ended).toMatchObject([{ id: deploy.id, state: 'error' }]);
    const { log } = await show(deploy);
    expect(log).toMatch(/took longer than 1 seconds[^]*ended by SIGTERM/);
    expectGone(/begun (\d+)/.exec(log)![1]!);
    expect(await cubby('deploys', 'run', '--once', '--exec', 'true', '--timeout', '0')).toMatchObject({ code: 2 });
  });

  it('tries again later when a repository cannot be read', async () => {
    const deploy = await queue({ repository: `file://${folder}/missing.git` });
    expect(await run('true')).toMatchObject([{ id: deploy.id, state: 'pending' }]);
    expect(await run('true')).toEqual([]);
    const { state, tries, log } = await show(deploy);
    expect({ state, tries }).toEqual({ state: 'pending', tries: 1 });
    expect(log).toContain('The commit could not be read from the repository.');
    expect((await stores.metadata.read.deploys.find(deploy.id))!.dueAt).toBeGreaterThan(Date.now() + 5000);
  });

  it.each([
    ['lies outside the allowed folder', 'file:///etc/shop.git', /is not among those/],
    ['only shares a prefix with the allowed folder', () => `file://${folder}-evil/shop.git`, /is not among those/],
    ['leads upwards with encoded slashes', () => `file://${folder}/..%2f..%2fetc`, /is not among those/],
    ['lies behind a link out of the folder', () => `file://${folder}/link-out/shop.git`, /is not among those/],
    ['has a query', () => `${repository}?x`, /is not among those/],
    ['has no clone URL', null, /no clone URL/],
  ])('does not clone a repository that %s', async (_, where, words) => {
    await symlink(tmpdir(), join(folder, 'link-out')).catch(() => {});
    const deploy = await queue({ repository: typeof where === 'function' ? where() : where });
    expect(await run('true')).toMatchObject([{ state: 'error' }]);
    expect((await show(deploy)).log).toMatch(words);
  });

  it('clones only by https unless --from allows more', async () => {
    const deploy = await queue();
    expect(await cubby.json('deploys', 'run', '--once', '--exec', 'true')).toMatchObject([
      { id: deploy.id, state: 'error' },
    ]);
  });

  it('runs no git hook that is configured on this machine', async () => {
    const home = await mkdtemp(join(folder, 'home-'));
    await writeFile(join(home, 'post-checkout'), `#!/bin/sh\ntouch "${home}/hooked"\n`, { mode: 0o755 });
    await writeFile(join(home, '.gitconfig'), `[core]\nhooksPath = ${home}\n`);
    await queue();
    const runner = cubbyHere(server.dataDir, { ...env, HOME: home, GIT_CONFIG_GLOBAL: join(home, '.gitconfig') });
    expect(await runner.json('deploys', 'run', '--once', '--from', `file://${folder}`, '--exec', 'true')).toMatchObject(
      [{ state: 'success' }],
    );
    expect(await readdir(home)).not.toContain('hooked');
  });

  it('sends the token only to the origin of the first clone, in no command line, and hides it in the log', async () => {
    const app = await newApp();
    const [own, foreign] = [await gitServer(), await gitServer()];
    for (const { url } of [own, foreign]) {
      const deploy = await queue({
        app,
        repository: `${url}/acme/shop.git`,
        commit: 'c'.repeat(40),
        branch: url.slice(-4),
      });
      await cubby.json('deploys', 'run', '--once', '--from', url, '--exec', 'true');
      const { log, state } = await show(deploy);
      expect(state).toBe('pending');
      expect(log).toMatch(/credential seen: .+/);
      expect(log).not.toMatch(/token-of-the-host|eC1hY2Nlc3MtdG9rZW4/);
    }
    expect(new Set(own.seen)).toEqual(
      new Set([`Basic ${Buffer.from('x-access-token:token-of-the-host').toString('base64')}`]),
    );
    expect(new Set(foreign.seen)).toEqual(new Set(['none']));
    expect(own.commandLines.join('\n')).toMatch(/fetch/);
    expect(own.commandLines.join('\n')).not.toMatch(/token-of-the-host|eC1hY2Nlc3MtdG9rZW4/);
  });

  it('follows no redirection, which would take the token to another origin', async () => {
    const seen: string[] = [];
    const advertised = () =>
      Buffer.concat([
        Buffer.from('001e# service=git-upload-pack\n0000'),
        execFileSync('git', ['upload-pack', '--stateless-rpc', '--advertise-refs', join(folder, 'shop.git')]),
      ]);
    const second = await listening((req, res) => {
      seen.push(`${req.method} ${req.headers.authorization ?? 'none'}`);
      res
        .writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-advertisement' })
        .end(req.method === 'GET' ? advertised() : '');
    });
    const first = await listening((req, res) => void res.writeHead(302, { Location: second + req.url }).end());
    const deploy = await queue({ repository: `${first}/acme/shop.git` });
    expect(await cubby.json('deploys', 'run', '--once', '--from', first, '--exec', 'true')).toMatchObject([
      { id: deploy.id, state: 'pending' },
    ]);
    expect(seen).toEqual([]);
  });

  it('tries a deploy again whose log cannot be written, and continues with the next', async () => {
    const [stuck, next] = [await queue(), await queue()];
    await mkdir(join(server.dataDir, 'deploys', `${stuck.id}.log`), { recursive: true });
    expect(await run('true')).toMatchObject([
      { id: stuck.id, state: 'pending' },
      { id: next.id, state: 'success' },
    ]);
    expect((await stores.metadata.read.deploys.find(stuck.id))!).toMatchObject({ tries: 1, lease: null });
    await rm(join(server.dataDir, 'deploys', `${stuck.id}.log`), { recursive: true });
  });

  it('continues when the log of a deploy that it gives up cannot be written', async () => {
    const [gone, next] = [await queue(), await queue()];
    await stores.metadata.atomically((tx) =>
      tx.deploys.change(gone, { ...gone, state: 'running', tries: 4, lease: { id: 'gone', until: 1 } }),
    );
    await mkdir(join(server.dataDir, 'deploys', `${gone.id}.log`), { recursive: true });
    expect(await run('true')).toMatchObject([{ id: next.id, state: 'success' }]);
    expect(await stores.metadata.read.deploys.find(gone.id)).toMatchObject({ state: 'error', lease: null });
    await rm(join(server.dataDir, 'deploys', `${gone.id}.log`), { recursive: true });
  });

  it('removes read-only folders, and at its start those that a killed runner left', async () => {
    const left = join(server.dataDir, 'deploys/work/dep_aaaaaaaaaaaaaaaa-gone');
    await mkdir(left, { recursive: true });
    await queue();
    expect(await run('mkdir -p a/b && touch a/b/c && chmod 500 a/b a')).toMatchObject([{ state: 'success' }]);
    expect(await readdir(join(server.dataDir, 'deploys/work'))).toEqual([]);
  });

  it('keeps the first mebibyte of the output', async () => {
    const deploy = await queue();
    await run('yes 0123456789 | head -c 3000000');
    const { log, state } = await show(deploy);
    expect(state).toBe('success');
    expect(log.length).toBeLessThan(1_048_576 + 300);
    expect(log).toMatch(/only the first mebibyte is kept\.\n\[cubby\] The command ended with exit code 0\.\n$/);
  });

  it('removes logs that are older than 90 days', async () => {
    const [old, young] = ['dep_old.log', 'dep_young.log'].map((name) => join(server.dataDir, 'deploys', name)) as [
      string,
      string,
    ];
    for (const [path, days] of [
      [old, 91],
      [young, 89],
    ] as const) {
      await writeFile(path, 'x');
      const at = new Date(Date.now() - days * 86_400_000);
      await utimes(path, at, at);
    }
    await run('true');
    expect(
      (await readdir(join(server.dataDir, 'deploys'))).filter(
        (name) => name === 'dep_old.log' || name === 'dep_young.log',
      ),
    ).toEqual(['dep_young.log']);
  });

  it('does not wait for a service that the command leaves running', async () => {
    const deploy = await queue();
    await run('sleep 30 & echo started $!');
    const { log, state } = await show(deploy);
    expect(state).toBe('success');
    const pid = Number(/started (\d+)/.exec(log)![1]);
    expect(process.kill(pid, 0)).toBe(true);
    process.kill(pid);
  });

  it('runs one deploy of a branch at a time, and only the newest that waits, with any number of runners', async () => {
    const app = await newApp();
    const first = await queue({ app });
    const newest = await queue({ app });
    const other = await queue({ app, branch: 'next' });
    const ended = await Promise.all(Array.from({ length: 4 }, () => run('sleep 0.3')));
    expect(
      ended
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([newest.id, other.id].sort());
    expect((await show(first)).state).toBe('superseded');
  });

  it('ends its command when it is stopped, and puts the deploy back without counting the try', async () => {
    const deploy = await queue();
    const runner = spawn(
      process.execPath,
      [
        join(root, 'server/cli/main.js'),
        'deploys',
        'run',
        '--from',
        `file://${folder}`,
        '--exec',
        'echo begun; exec sleep 60',
      ],
      { env: { ...env, CUBBY_DATA_DIR: server.dataDir }, stdio: 'ignore' },
    );
    const ended = once(runner, 'exit');
    await expect.poll(async () => (await show(deploy)).log, { timeout: 20_000 }).toMatch(/begun/);
    expect((await show(deploy)).state).toBe('running');
    runner.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await show(deploy)).toMatchObject({
      state: 'pending',
      tries: 0,
      log: expect.stringMatching(/ended by SIGTERM/),
    });
    expect(await run('true')).toMatchObject([{ id: deploy.id, state: 'success' }]);
  });
});

async function listening(answer: RequestListener): Promise<string> {
  const listener = createServer(answer).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
}

/** Starts a host without repositories. Its 403 repeats the received credential, as that of a careless host does. */
async function gitServer(): Promise<{
  readonly url: string;
  readonly seen: string[];
  readonly commandLines: string[];
}> {
  const seen: string[] = [];
  const commandLines: string[] = [];
  const url = await listening((req, res) => {
    const given = req.headers.authorization ?? 'none';
    seen.push(given);
    needPrograms('ps');
    commandLines.push(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }));
    res
      .writeHead(403, { 'Content-Type': 'text/plain' })
      .end(`credential seen: ${given} ${Buffer.from(given.slice('Basic '.length), 'base64').toString()}\n`);
  });
  return { url, seen, commandLines };
}

describe('deploys list and deploys show', () => {
  it('show the queued deploys, and fail for unknown ids', async () => {
    const deploy = await queue();
    const { stdout } = await cubby('deploys', 'list', '--app', deploy.appId);
    expect(stdout).toMatch(new RegExp(`${deploy.id}  pending  main +${commit.slice(0, 7)}`));
    expect((await cubby('deploys', 'show', deploy.id)).stdout).toMatch(/It has not started\./);
    expect(await cubby('deploys', 'show', 'dep_aaaaaaaaaaaaaaaa')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/There is no deploy/),
    });
    expect(await cubby('deploys', 'show', '../x')).toMatchObject({ code: 2 });
    expect(await cubby('deploys', 'list', '--app', 'app_missing')).toMatchObject({ code: 1 });
    await run('true');
  });
});

describe('deploys run and a cancelled deploy', () => {
  it('stops the command within seconds, and notes why', async () => {
    const app = await newApp();
    const deploy = await queue({ app });
    const running = run('echo begun; exec sleep 60');
    await expect.poll(async () => (await show(deploy)).log, { timeout: 20_000 }).toContain('begun');
    const named = { accountId: account.id, appId: app.appId, deployId: deploy.id };
    expect(await cancelDeploy(stores, named)).toMatchObject({ state: 'running' });
    expect(await running).toEqual([{ id: deploy.id, app_id: app.appId, state: 'cancelled' }]);
    const shown = await show(deploy);
    expect(shown).toMatchObject({ state: 'cancelled', tries: 1 });
    expect(shown.log).toMatch(/was ended by SIGTERM.*\n\[cubby\] The deploy was cancelled\.\n$/s);
  });

  it('is cancelled and queued again by commands', async () => {
    const app = await newApp();
    const deploy = await queue({ app });
    expect(await cubby.json('deploys', 'cancel', deploy.id)).toMatchObject({ id: deploy.id, state: 'cancelled' });
    const again = await cubby.json('deploys', 'redeploy', deploy.id);
    expect(again).toMatchObject({ state: 'pending', commit, app_id: app.appId });
    queued.push({ ...deploy, id: again.id });
    const unknown = await cubby('deploys', 'cancel', 'dep_0000000000000000');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no deploy')]);
  });

  it('reads the newest commit of the branch when a hook named none', async () => {
    const deploy = await queue({ commit: '0'.repeat(40) });
    expect(await run('echo at $CUBBY_COMMIT')).toMatchObject([{ id: deploy.id, state: 'success' }]);
    const shown = await show(deploy);
    const newest = execFileSync('git', ['-C', join(folder, 'shop.git'), 'rev-parse', 'main'], {
      encoding: 'utf8',
    }).trim();
    expect(shown).toMatchObject({ commit: newest, message: 'Second' });
    expect(shown.log).toContain(`at ${newest}\n`);
    const missing = await queue({ commit: '0'.repeat(40), branch: 'missing' });
    await run('true');
    expect(await show(missing)).toMatchObject({ state: 'pending', tries: 1 });
  });
});
