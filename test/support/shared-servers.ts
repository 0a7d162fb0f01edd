import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import type { TestProject } from 'vitest/node';

import type { SharedServers } from './ask-shared-server.ts';
import { startBucket } from './bucket/start-bucket.ts';
import { startCluster } from './postgres/cluster.ts';

interface Started<T> {
  readonly told: T;
  stop(): Promise<void>;
}

const starters: { readonly [Name in keyof SharedServers]: () => Promise<Started<SharedServers[Name]>> } = {
  async postgres() {
    const cluster = await startCluster();
    return { told: { url: cluster.url() }, stop: () => cluster.stop() };
  },
  async bucket() {
    const { access, stop } = await startBucket();
    return { told: access, stop };
  },
};

/**
 * Runs once before all tests. The first test file that asks for a server starts it, for the whole run. A run in which
 * nobody asks starts none.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-ask-'));
  const path = join(folder, 'socket');
  const started = new Map<keyof SharedServers, Promise<Started<unknown>>>();
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    socket.on('error', () => {}); // a test file that has ended
    const name = (await text(socket)) as keyof SharedServers;
    if (!started.has(name)) started.set(name, starters[name]());
    started.get(name)!.then(
      ({ told }) => socket.end(JSON.stringify({ told })),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  }).listen(path);
  await once(server, 'listening');
  // The tests must not keep the process alive.
  server.unref();
  provide('sharedServersSocket', path);
  return async () => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
    await Promise.all([...started.values()].map(async (one) => (await one.catch(() => undefined))?.stop()));
  };
}
