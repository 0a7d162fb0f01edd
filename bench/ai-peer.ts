import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '#test/support/free-port.ts';
import { noPackage, placeOf } from '#test/support/packages.ts';

/** Another gateway, in a process of its own. */
export interface Peer {
  readonly pid: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  stop(): void;
}

/**
 * Starts Portkey's gateway as its README does, in front of an upstream. It has no accounts, limits, charges or records.
 *
 * @returns undefined if it is not installed (`npm run install:programs bench`)
 */
export async function startPeer(upstream: string): Promise<Peer | undefined> {
  const name = '@portkey-ai/gateway';
  if (noPackage(name) !== undefined) return undefined;
  const port = await freePort();
  const program = join(placeOf(name), 'build/start-server.js');
  const child = spawn(process.execPath, [program, '--headless', `--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const url = `http://127.0.0.1:${port}`;
  for (const endsAt = performance.now() + 10_000; !(await isUp(url)); await sleep(50))
    if (performance.now() > endsAt) throw new Error(`${name} does not listen.`);
  return {
    pid: child.pid!,
    url: `${url}/v1`,
    headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstream },
    stop: () => void child.kill(),
  };
}

const isUp = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );
