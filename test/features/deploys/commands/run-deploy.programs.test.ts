import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { cloneCommit, credentialText } from '#server/features/deploys/commands/clone-commit.ts';
import type { LookUp } from '#server/features/deploys/commands/host-address.ts';
import { runDeploy, type RunDeploy } from '#server/features/deploys/commands/run-deploy.ts';
import { createApp } from '#server/features/apps/create-app.ts';
import type { Deploy } from '#server/features/deploys/deploy.ts';
import { setWebhook } from '#server/features/deploys/set-webhook.ts';
import { eventually } from '#test/support/eventually.ts';
import { needPrograms } from '#test/support/need-programs.ts';
import { openTestStores } from '#test/support/stores.ts';
import { privateGitHost } from '#test/cli/private-git-host.ts';
import { timeLimit } from '#test/cli/time-limit.ts';

const path = process.env.PATH!;

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby run '));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A bare repository, and the first of the two commits on its `main`. */
interface Repository {
  readonly folder: string;
  readonly repository: string;
  readonly commit: string;
}

/** Shared by all tests, which only read it. */
let shop: Repository;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cubby run '));
  shop = makeRepository(folder);
  return () => rm(folder, { recursive: true, force: true });
});

function makeRepository(folder: string, ...init: readonly string[]): Repository {
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=Ada', '-c', 'user.email=ada@shop.invalid', '-c', 'init.defaultBranch=main', ...args],
      { cwd: folder, encoding: 'utf8' },
    ).trim();
  git('init', '--quiet', ...init, 'copy');
  git('-C', 'copy', 'commit', '--quiet', '--allow-empty', '--message', 'First');
  const commit = git('-C', 'copy', 'rev-parse', 'HEAD');
  git('-C', 'copy', 'commit', '--quiet', '--allow-empty', '--message', 'Second');
  git('clone', '--quiet', '--bare', 'copy', 'shop.git');
  return { folder, repository: `file://${folder}/shop.git`, commit };
}

interface Run {
  readonly repository?: string;
  readonly commit?: string;
  /** Defaults to `file://` and the host of the repository. */
  readonly from?: readonly string[];
  readonly lookUp?: LookUp;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly cloneTimeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Prepares the data folder. */
  readonly before?: (dataDir: string, deploy: Deploy) => Promise<void>;
}

/** Runs a command as the deploy of a commit. */
async function run(
  command: string,
  {
    env = {},
    before,
    from,
    lookUp,
    timeoutMs = 60_000,
    cloneTimeoutMs = 60_000,
    signal = new AbortController().signal,
    ...pushed
  }: Run = {},
) {
  const stores = await openTestStores();
  const { id: accountId } = await stores.account();
  const { id: appId } = (await createApp(stores, { accountId, name: 'shop' }))!;
  await setWebhook(stores, { accountId, appId, accessToken: 'token-of-the-host', secret: undefined });
  const { repository, commit } =
    pushed.repository === undefined ? shop : { commit: 'a'.repeat(40), ...pushed, repository: pushed.repository };
  const dataDir = await temporaryFolder();
  const deploy: Deploy = {
    id: 'dep_aaaaaaaaaaaaaaaa',
    sequence: 1,
    appId,
    state: 'running',
    branch: 'main',
    commit,
    message: null,
    repository,
    host: 'github',
    createdAt: 1,
    updatedAt: 1,
    tries: 1,
    dueAt: 1,
    lease: { id: 'lease', until: 2 },
    cancelRequestedAt: null,
  };
  await before?.(dataDir, deploy);
  const options: RunDeploy = {
    stores,
    dataDir,
    env: { PATH: path, ...env },
    command,
    from: from ?? ['file://', ...(repository.startsWith('http') ? [new URL(repository).origin] : [])],
    timeoutMs,
    cloneTimeoutMs,
    signal,
    ...(lookUp && { lookUp }),
  };
  const ended = await runDeploy(options, deploy);
  return { ...ended, log: await readFile(join(dataDir, 'deploys', `${deploy.id}.log`), 'utf8').catch(() => undefined) };
}

/** Makes a folder in which `git` is a script. */
async function folderWithGit(script: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'git'), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'git'), 0o755);
  return folder;
}

/** Starts a host that accepts connections and sends nothing. */
async function silentHost(onConnection = () => {}): Promise<string> {
  const host = createServer(onConnection).listen(0, '127.0.0.1');
  await once(host, 'listening');
  onTestFinished(() => void host.close());
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}/shop.git`;
}

/** Waits until a command has written a number to a file. Returns the number. */
async function numberIn(file: string): Promise<number> {
  await expect.poll(() => readFile(file, 'utf8').catch(() => ''), { interval: 20 }).toMatch(/\n/);
  return Number(await readFile(file, 'utf8'));
}

/** Resolves once this process has learnt of the end of its child. */
async function isReaped(pid: number): Promise<void> {
  await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
}

describe('runDeploy()', () => {
  it.each([
    ['serves any commit', false],
    ['serves only the tips of branches', true],
  ])(
    'clones a commit of a private repository with its token, from a host that %s, and leaves no trace of the token',
    async (_, isOld) => {
      const { folder, commit } = shop;
      const authorization = `Basic ${Buffer.from('x-access-token:token-of-the-host').toString('base64')}`;
      const host = await privateGitHost({ folder, authorization, isOld });
      const { outcome, log } = await run(
        `git log --format=%s; ! grep -r -e token-of-the-host -e ${authorization.slice(6)} . && git status --porcelain`,
        { repository: `${host}/shop.git`, commit },
      );
      expect([outcome, log]).toEqual([
        'success',
        expect.stringMatching(/\nFirst\n\[cubby\] The command ended with exit code 0\.\n$/),
      ]);
    },
  );

  it.each([
    ['github', 'ghp_x', 'x-access-token'],
    ['gitlab', 'glpat-x', 'oauth2'],
    ['bitbucket-cloud', 'ATATT3xFfGF0x', 'x-bitbucket-api-token-auth'],
    ['bitbucket-cloud', 'ATCTT3xFfGN0x', 'x-token-auth'],
    ['bitbucket-data-center', 'x', 'x-token-auth'],
  ] as const)('%s gets the token %s with the user name %s', (host, token, name) => {
    expect(Buffer.from(credentialText(host, token), 'base64').toString()).toBe(`${name}:${token}`);
  });

  it.each([
    ['https://127.0.0.1/shop.git', []],
    ['https://localhost/shop.git', ['127.0.0.1', '::1']],
    ['https://169.254.169.254/latest/meta-data', []],
    ['https://[fd00::1]/shop.git', []],
    ['https://[::ffff:127.0.0.1]/shop.git', []],
    ['https://git.example.com/shop.git', ['10.0.0.5']],
    ['https://git.example.com:8443/shop.git', ['93.184.215.14', '192.168.1.1']],
    ['https://git.example.com/shop.git', []],
  ])(
    'rejects %s when --from names no host and its addresses are %j, without running git',
    async (repository, addresses) => {
      const folder = await folderWithGit('echo GIT RAN');
      const asked: string[] = [];
      const lookUp = async (host: string) => (asked.push(host), addresses);
      const { outcome, log } = await run('true', {
        repository: new URL(repository).href,
        from: ['https://'],
        lookUp,
        env: { PATH: `${folder}:${path}` },
      });
      expect([outcome, log]).toEqual(['failure', expect.stringContaining('is not public. Name it with --from')]);
      expect(log).not.toContain('GIT RAN');
      expect(asked).toHaveLength(addresses.length > 0 || repository.includes('example') ? 1 : 0);
    },
  );

  it('connects to the checked addresses, whatever the name resolves to later', async () => {
    const folder = await folderWithGit('[ "$1" = version ] && exec echo git version 2.39.5\nenv | sort; exit 1');
    const lookUp = async () => ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'];
    const { outcome, log } = await run('true', {
      repository: 'https://git.example.com:8443/shop.git',
      from: ['https://'],
      lookUp,
      env: { PATH: `${folder}:${path}` },
    });
    expect(outcome).toBe('try again');
    expect(log).toContain('=http.curloptResolve\n');
    expect(log).toContain('=git.example.com:8443:93.184.215.14,[2606:2800:21f:cb07:6820:80da:af6b:8b2c]\n');
  });

  it('makes the real git use the given addresses', async () => {
    const connected = new AbortController();
    const { port } = new URL(await silentHost(() => connected.abort()));
    // The name does not resolve, so only the given address leads to the host.
    const deploy = {
      branch: 'main',
      commit: 'a'.repeat(40),
      host: 'github',
      repository: `http://git.invalid:${port}/shop.git`,
    } as const;
    const reach = { kind: 'pinned', resolve: `git.invalid:${port}:127.0.0.1` } as const;
    const signal = AbortSignal.any([connected.signal, AbortSignal.timeout(25_000)]);
    await cloneCommit({
      folder: await temporaryFolder(),
      deploy,
      token: undefined,
      reach,
      env: { PATH: path },
      output: () => {},
      signal,
    }).catch(() => undefined);
    expect(connected.signal.aborted).toBe(true);
  });

  it('tries again when a host name cannot be resolved at the moment, and does not leave it to git', async () => {
    const folder = await folderWithGit('echo GIT RAN');
    const lookUp = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'EAI_AGAIN' }));
    const { outcome, log } = await run('true', {
      repository: 'https://git.example.com/shop.git',
      from: ['https://'],
      lookUp,
      env: { PATH: `${folder}:${path}` },
    });
    expect([outcome, log]).toEqual([
      'try again',
      expect.stringContaining('git.example.com could not be found: EAI_AGAIN'),
    ]);
    expect(log).not.toContain('GIT RAN');
  });

  it('rejects a git that is too old to connect to a given address, and names the needed version', async () => {
    const folder = await folderWithGit('echo git version 2.34.1');
    const { outcome, log } = await run('true', {
      repository: 'https://git.example.com/shop.git',
      from: ['https://'],
      lookUp: async () => ['93.184.215.14'],
      env: { PATH: `${folder}:${path}` },
    });
    expect([outcome, log]).toEqual(['failure', expect.stringContaining('older than 2.37')]);
  });

  it('uses the proxy of the environment, and drops its exceptions unless --from names the host', async () => {
    const folder = await folderWithGit('env | sort; exit 1');
    const env = { PATH: `${folder}:${path}`, https_proxy: 'http://proxy.internal:3128', no_proxy: '*', NO_PROXY: '*' };
    const lookUp = () => Promise.reject(new Error('only the proxy knows names'));
    const { log } = await run('true', {
      repository: 'https://git.example.com/shop.git',
      from: ['https://'],
      lookUp,
      env,
    });
    expect(log).toContain('https_proxy=http://proxy.internal:3128');
    expect(log).not.toMatch(/no_proxy=|curloptResolve/i);
    const named = await run('true', {
      repository: 'https://git.example.com/shop.git',
      from: ['https://git.example.com/'],
      env,
    });
    expect(named.log).toContain('no_proxy=*');
  });

  it('clones a repository of SHA-256', async () => {
    const { outcome, log, message } = await run(
      'git rev-parse HEAD',
      makeRepository(await temporaryFolder(), '--object-format=sha256'),
    );
    expect([outcome, message]).toEqual(['success', 'First']);
    expect(log).toMatch(/^[0-9a-f]{64}$/m);
  });

  it('ends a clone that takes too long, and tries the deploy again', async () => {
    const { outcome, log } = await run('true', { repository: await silentHost(), cloneTimeoutMs: 500 });
    expect(outcome).toBe('try again');
    expect(log).toContain('The clone took longer than 0.5 seconds.');
    needPrograms('ps');
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toMatch(/git.* fetch .*127\.0\.0\.1/);
  });

  it("tells git when a host counts as silent, to follow no redirection, and nothing of the runner's home", async () => {
    const folder = await folderWithGit('env | sort; exit 1');
    const { outcome, log } = await run('true', {
      env: { PATH: `${folder}:${path}`, HOME: '/home/runner', GIT_DIR: '/elsewhere', SSH_ASKPASS: 'x' },
      repository: 'http://git.invalid/shop.git',
    });
    expect(outcome).toBe('try again');
    const variables = log!.split('\n');
    const settings = variables.flatMap((line) => /^GIT_CONFIG_KEY_(\d+)=(.*)$/.exec(line)?.slice(1) ?? []);
    const valueOf = (name: string) =>
      variables
        .find((line) => line.startsWith(`GIT_CONFIG_VALUE_${settings[settings.indexOf(name) - 1]}=`))
        ?.split('=')[1];
    expect(['http.lowSpeedLimit', 'http.lowSpeedTime', 'http.followRedirects'].map(valueOf)).toEqual([
      '1000',
      '60',
      'false',
    ]);
    // Without HOME, git reads ~/.netrc of the user's home.
    expect(variables).toContain('HOME=/dev/null');
    expect(log).not.toMatch(/\/home\/runner|GIT_DIR|SSH_ASKPASS/);
  });

  it('runs the command in its own repository, even when a hook of another one has started the runner', async () => {
    const { folder, repository, commit } = shop;
    const { outcome, log } = await run('git rev-parse HEAD', {
      repository,
      commit,
      env: { GIT_DIR: '.', GIT_QUARANTINE_PATH: folder, GIT_OBJECT_DIRECTORY: folder },
    });
    expect([outcome, log]).toEqual(['success', expect.stringContaining(`\n${commit}\n`)]);
  });

  it('runs a deploy although its log cannot be written, for instance on a full disk', async () => {
    const { outcome } = await run('echo something', {
      before: async (dataDir, { id }) => {
        await mkdir(join(dataDir, 'deploys'));
        await symlink('/dev/full', join(dataDir, 'deploys', `${id}.log`));
      },
    });
    expect(outcome).toBe('success');
  });

  it('writes its own lines on new lines, even after output without a line end', async () => {
    const { log } = await run('printf "half a line"; printf "and more" >&2');
    expect(log).toMatch(/^.*half a line.*\n\[cubby\] The command ended with exit code 0\.\n$/s);
    const again = await run('true', {
      before: (dataDir, { id }) =>
        mkdir(join(dataDir, 'deploys')).then(() => writeFile(join(dataDir, 'deploys', `${id}.log`), 'cut off')),
    });
    expect(again.log).toMatch(/^cut off\n\[cubby\] Attempt 1, /);
  });

  it('succeeds when the command ended in time, although a process that it left holds its output open', async () => {
    const limit = timeLimit(60_000);
    const folder = await temporaryFolder();
    const ended = run(`echo $$ > "${folder}/shell"; sleep 20 & echo $! > "${folder}/left"`, {
      timeoutMs: 60_000,
      cloneTimeoutMs: 50_000,
    });
    const left = await numberIn(join(folder, 'left'));
    await isReaped(await numberIn(join(folder, 'shell')));
    limit.pass();
    const { outcome, log } = await ended;
    process.kill(left);
    expect(outcome).toBe('success');
    expect(log).not.toContain('took longer');
  });

  it('fails when the command failed before the runner was stopped', async () => {
    const stopping = new AbortController();
    const folder = await temporaryFolder();
    const ended = run(`echo $$ > "${folder}/shell"; sleep 20 & echo $! > "${folder}/left"; exit 3`, {
      signal: stopping.signal,
    });
    const left = await numberIn(join(folder, 'left'));
    await isReaped(await numberIn(join(folder, 'shell')));
    stopping.abort();
    expect(await ended).toMatchObject({ outcome: 'failure', log: expect.stringMatching(/exit code 3\./) });
    process.kill(left);
  });

  it('returns "stopped" when the runner is stopped during the clone', async () => {
    const stopping = new AbortController();
    expect(
      await run('true', { repository: await silentHost(() => stopping.abort()), signal: stopping.signal }),
    ).toMatchObject({ outcome: 'stopped' });
  });

  it('returns "stopped" when the runner is stopped during the command', async () => {
    const stopping = new AbortController();
    const folder = await temporaryFolder();
    const ended = run(`echo $$ > "${folder}/pid"; exec sleep 60`, { signal: stopping.signal });
    await numberIn(join(folder, 'pid'));
    stopping.abort();
    expect(await ended).toMatchObject({ outcome: 'stopped', log: expect.stringMatching(/ended by SIGTERM/) });
  });
});
