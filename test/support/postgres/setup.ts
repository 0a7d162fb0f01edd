import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { startCluster, type PostgresCluster } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket where test files ask for the address of the run's PostgreSQL. */
    readonly postgresSocket: string;
  }
}

/**
 * Runs once before all tests. The first test file that asks starts one PostgreSQL server for the whole run. A run in
 * which nobody asks starts none.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-ask-'));
  const path = join(folder, 'socket');
  let cluster: Promise<PostgresCluster> | undefined;
  const server = createServer((socket) => {
    socket.on('error', () => {}); // a test file that has ended
    cluster ??= startCluster();
    cluster.then(
      (started) => socket.end(JSON.stringify({ url: started.url() })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  }).listen(path);
  await once(server, 'listening');
  // The tests must not keep the process alive, and a process that is killed needs no farewell.
  server.unref();
  provide('postgresSocket', path);
  return async () => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
    await (await cluster?.catch(() => undefined))?.stop();
  };
}
