import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { noUseExitCode } from '#server/check-node.js';
import { formWith, someBytes } from '#test/support/files.ts';
import { needPrograms } from '#test/support/need-programs.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { because } from '#test/support/programs.ts';
import { failToStart, startProgram, temporaryFolder } from './program.ts';

/** Returns the ids of the processes that a process has started. */
function childrenOf(pid: number): number[] {
  needPrograms('ps');
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  return pairs.filter(([, parent]) => parent === pid).map(([child]) => child);
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('CUBBY_WORKERS', () => {
  it('refuses to share a SQLite database', async () => {
    const ended = await failToStart({ dataDir: await temporaryFolder(), env: { CUBBY_WORKERS: '2' } });
    expect(ended.code).toBe(noUseExitCode);
    expect(ended.stderr).toContain('CUBBY_WORKERS is 2, but several workers need CUBBY_DATABASE_URL');
  });

  it('prints one reason when no worker can start', async () => {
    const env = { CUBBY_WORKERS: '2', CUBBY_DATABASE_URL: 'postgres://cubby:x@127.0.0.1:9/cubby?sslmode=disable' };
    const ended = await failToStart({ dataDir: await temporaryFolder(), env });
    expect(ended.code).toBe(1);
    expect(ended.stderr.match(/cannot be used/g)).toHaveLength(1);
  });
});

describe.skipIf(noPostgres())(`three workers${because(noPostgres())}`, () => {
  it('cannot start before a setting is changed, which the parent passes on by its exit code', async () => {
    const database = await freshDatabase();
    onTestFinished(() => database.drop());
    const env = { CUBBY_WORKERS: '3', CUBBY_DATABASE_URL: database.url };
    const ended = await failToStart({ dataDir: '/proc/x', env });
    expect(ended).toMatchObject({ code: noUseExitCode, stdout: '' });
    expect(ended.stderr).toMatch(
      /^The data folder \/proc\/x cannot be made: .*\nThe first worker could not start\.\n$/,
    );
  });

  async function start() {
    const database = await freshDatabase();
    onTestFinished(() => database.drop());
    const env = { CUBBY_WORKERS: '3', CUBBY_DATABASE_URL: database.url, CUBBY_LOG: 'info', CUBBY_PUBLIC_METRICS: 'on' };
    const server = await startProgram({ dataDir: await temporaryFolder(), env });
    const credential = /Authorization: (cbk_\w+)/.exec(server.stdout())![1]!;
    const said = (message: string) =>
      server
        .stderr()
        .split('\n')
        .filter((line) => line.includes(message));
    await expect.poll(() => said('"listening"').length).toBe(3);
    /** Each request has a connection of its own, so that every worker gets some. */
    const ask = async (path: string, init: RequestInit = {}) => {
      const headers = { Authorization: credential, Connection: 'close', ...init.headers };
      const response = await fetch(server.api + path, { ...init, headers });
      const text = await response.text();
      return { status: response.status, text, json: (): any => JSON.parse(text) };
    };
    return { server, ask, said };
  }

  it('share the ports, the rows and the sums of their metrics', async () => {
    const { server, ask } = await start();
    expect(server.stdout().match(/your first account/g)).toHaveLength(1);
    const files = Array.from({ length: 12 }, (_, index) => `file-${index}`);
    for (const name of files) {
      const response = await ask(`/v1/objects?name=${name}`, { method: 'POST', body: formWith(someBytes()) });
      expect(response.status).toBe(200);
      // The next request may go to another worker.
      const listed = await ask('/v1/objects?limit=1000');
      expect(
        listed
          .json()
          .response.objects.map(({ id }: { id: string }) => id)
          .join(),
      ).toContain(name);
    }
    const { text: metrics } = await ask('/metrics');
    expect(metrics).toMatch(
      /^cubby_requests_total\{door="api",operation="uploadObject",status="200",code="none"\} 12$/m,
    );
    expect(metrics).toMatch(/^cubby_disk_full 0$/m);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  it('refuse a key at once that one of them has revoked', async () => {
    const { ask, server } = await start();
    const created = await ask('/v1/account/keys', {
      method: 'POST',
      body: JSON.stringify({ name: 'other', scopes: ['blob:read'] }),
    });
    const { key, id } = created.json().response;
    const withKey = () => ask('/v1/objects?limit=1', { headers: { Authorization: key } });
    for (let request = 0; request < 9; request++) expect((await withKey()).status).toBe(200);
    expect((await ask(`/v1/account/keys/${id}`, { method: 'DELETE' })).status).toBe(200);
    for (let request = 0; request < 9; request++) expect((await withKey()).json().code).toBe('ACCESS_DENIED');
    await server.stop();
  });

  it('are replaced when they end, and end with their parent', async () => {
    const { server, ask, said } = await start();
    const workers = childrenOf(server.pid);
    expect(workers).toHaveLength(3);
    process.kill(workers[0]!, 'SIGKILL');
    await expect.poll(() => said('a worker ended').length).toBe(1);
    expect((await ask('/v1/objects?limit=1')).status).toBe(200);
    await expect.poll(() => childrenOf(server.pid).length).toBe(3);
    await expect.poll(() => said('"listening"').length).toBe(4);
    const all = childrenOf(server.pid);
    expect((await server.stop()).code).toBe(0);
    expect(all.filter(isAlive)).toEqual([]);
  });

  it('leave no connection open, and lose no count, when one of them is killed', async () => {
    const { server, ask, said } = await start();
    for (let request = 0; request < 12; request++) await ask('/v1/objects?limit=1');
    const listed = async () =>
      Number(
        /^cubby_requests_total\{[^}]*operation="listObjects"[^}]*\} (\d+)$/m.exec((await ask('/metrics')).text)![1],
      );
    expect(await listed()).toBe(12);
    const [killed] = childrenOf(server.pid);
    // A stopped worker keeps its socket, so clients still connect to it and get no response.
    process.kill(killed!, 'SIGSTOP');
    const { port } = new URL(server.api);
    let waiting = 0;
    for (let client = 0; client < 12; client++) {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'));
      waiting++;
      socket
        .once('data', () => socket.destroy())
        .once('error', () => {})
        .once('close', () => waiting--);
      onTestFinished(() => void socket.destroy());
      await sleep(20);
    }
    process.kill(killed!, 'SIGKILL');
    await expect.poll(() => said('a worker ended').length).toBe(1);
    await expect.poll(() => waiting).toBe(0);
    await expect.poll(() => said('"listening"').length).toBe(4);
    for (let scrape = 0; scrape < 6; scrape++) expect(await listed()).toBe(12);
    expect((await server.stop()).code).toBe(0);
  });

  it('end when their parent is killed', async () => {
    const { server } = await start();
    const workers = childrenOf(server.pid);
    void server.stop('SIGKILL');
    await expect.poll(() => workers.filter(isAlive)).toEqual([]);
  });
});
