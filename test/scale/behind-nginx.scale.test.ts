import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ask, uploadFile } from '#test/faults/client.ts';
import { startDelayingProxy } from '#test/support/delaying-proxy.ts';
import { someBytes } from '#test/support/files.ts';
import { freePort } from '#test/support/free-port.ts';
import { migrated } from '#test/support/postgres/migrated.ts';
import { freshDatabase } from '#test/support/postgres/postgres.ts';
import { noPostgres } from '#test/support/postgres/programs.ts';
import { noProgram } from '#test/support/programs.ts';
import { startReplicas } from './replicas.ts';

const missing = noPostgres() ?? noProgram('nginx');
const shipped = new URL('../../deploy/nginx.scale.conf', import.meta.url);

/** How long a request may wait for a replica that has lost its database, and what a busy machine adds. */
const [heldMs, toleratedMs] = [2_000, 500];

/** Starts the shipped proxy before the replicas. Returns the address of its API. */
async function startNginx(apiPorts: readonly number[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-nginx-scale-'));
  const doors = await Promise.all(['7400', '7401', '7402', '7403'].map(async (door) => [door, await freePort()]));
  let conf = await readFile(shipped, 'utf8');
  for (const [door, port] of doors) conf = conf.replace(`listen ${door};`, `listen 127.0.0.1:${port};`);
  conf = conf
    .replaceAll(/cubby-([123]):7400/g, (_, number) => `127.0.0.1:${apiPorts[Number(number) - 1] ?? 'none'}`)
    .replaceAll(/^.*127\.0\.0\.1:none.*\n/gm, '')
    .replaceAll(/cubby-\d/g, '127.0.0.1');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  conf = conf
    .replace('worker_processes auto;', `daemon off; ${user} worker_processes 1; pid ${folder}/nginx.pid;`)
    .replace('http {', `http {\n  access_log off; ${temporary}`);
  await writeFile(join(folder, 'nginx.conf'), conf);
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
  const nginx = spawn('nginx', args, { stdio: 'ignore' });
  onTestFinished(async () => {
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
    await rm(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${doors[0]![1]}`;
  await expect
    .poll(() =>
      ask(`${url}/livez`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  return url;
}

describe.skipIf(missing)(
  `two replicas behind the shipped nginx${missing ? ` (skipped: ${missing})` : ''}`,
  { timeout: 120_000 },
  () => {
    it.each(['drop', 'refuse'] as const)(
      'hold no client for more than 2 s, and refuse none, when one of them loses its database (%s)',
      async (fault) => {
        const database = await freshDatabase(migrated);
        onTestFinished(() => database.drop());
        const link = await startDelayingProxy({ port: Number(new URL(database.url).port) });
        onTestFinished(() => link.close());
        const through = new URL(database.url);
        through.port = String(link.port);
        const replicas = await startReplicas({ databaseUrls: [through.href, database.url] });
        onTestFinished(() => replicas.close());
        const account = await replicas.at(1).account();
        await uploadFile(replicas.at(1), account, 'kept', someBytes());
        const url = await startNginx([0, 1].map((index) => Number(new URL(replicas.at(index).urls.api).port)));
        const list = async () => {
          const beganAt = performance.now();
          const { status } = await ask(`${url}/v1/objects?limit=1`, { credential: account.credential });
          return { status, ms: performance.now() - beganAt };
        };
        for (let at = 0; at < 10; at++) expect((await list()).status).toBe(200);
        link[fault]();
        const found: Array<Awaited<ReturnType<typeof list>>> = [];
        const until = performance.now() + 8_000;
        await Promise.all(
          Array.from({ length: 4 }, async () => {
            while (performance.now() < until) found.push(await list());
          }),
        );
        link.heal();
        expect(found.filter(({ status }) => status !== 200)).toEqual([]);
        const slowest = Math.max(...found.map(({ ms }) => ms));
        console.log(`${fault}: ${found.length} requests, the slowest took ${Math.round(slowest)} ms`);
        expect(slowest).toBeLessThan(heldMs + toleratedMs);
      },
    );
  },
);
