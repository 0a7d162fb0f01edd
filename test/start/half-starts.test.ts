import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Given } from '#server/compose/given.ts';
import type { Serve } from '#server/compose/served.ts';
import type { Feature } from '#server/feature.ts';
import { features } from '#server/features.ts';
import { TestClock } from '#test/support/clock.ts';
import { startTestServer, type TestServerOptions } from '#test/support/server.ts';

let dataDir: string;
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'cubby-half-'))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const start = (options: TestServerOptions = {}) => startTestServer({ ...options, dataDir, ownStores: true });

/** Returns the sockets of servers and what is open in the data folder. */
async function openThings(): Promise<string[]> {
  const sockets = process.getActiveResourcesInfo().filter((kind) => /TCPServer|FSEvent|ChildProcess|Worker/.test(kind));
  const descriptors = process.platform === 'linux' ? await readdir('/proc/self/fd') : [];
  const paths = await Promise.all(descriptors.map((one) => readlink(join('/proc/self/fd', one)).catch(() => '')));
  return [...sockets, ...paths.filter((path) => path.startsWith(dataDir))].sort();
}

/** Starts a server whose start must fail, and checks that nothing of it is left. */
async function expectNothingOpen(options: TestServerOptions): Promise<void> {
  const before = await openThings();
  await expect(start(options)).rejects.toThrow('broken');
  // The list of sockets lags behind by a turn of the event loop.
  await expect.poll(openThings).toEqual(before);
}

/** Throws from the call of this number on, until it is mended. */
class Breaker {
  calls = 0;
  isMended = false;
  readonly #from: number;

  constructor(from: number) {
    this.#from = from;
  }

  call(): void {
    if (this.calls++ >= this.#from && !this.isMended) throw new Error('broken');
  }

  /** Wraps an object, whose methods and whose objects' methods then break. */
  around<T extends object>(real: T): T {
    return new Proxy(real, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value === 'object' && value !== null) return this.around(value);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          this.call();
          return (value as (...all: unknown[]) => unknown).apply(target, args);
        };
      },
    });
  }
}

const everyCall: ReadonlyArray<readonly [what: string, breaking: (breaker: Breaker) => TestServerOptions]> = [
  ['the clock', (breaker) => ({ clock: breaker.around(new TestClock()) })],
  ['the metadata store', (breaker) => ({ metadata: (real) => breaker.around(real) })],
];

const fail = (): never => {
  throw new Error('broken');
};

const oneStep: ReadonlyArray<readonly [what: string, options: TestServerOptions]> = [
  ['the free space is read', { readDisk: fail }],
  ['the store of blobs is wrapped', { blobs: fail }],
  ['the rows are wrapped', { metadata: fail }],
  ['bodies get their memory', { onBodies: fail }],
  ['the pipeline is wrapped', { answer: fail }],
  ['scrypt is wrapped', { scrypt: fail }],
  ['a door is composed', { door: fail }],
];

type ServedOf = Awaited<ReturnType<Serve>>;

/** Changes what each feature adds to a server, for the time of `work`. */
async function whileServed(change: (name: string, served: ServedOf) => ServedOf, work: () => Promise<void>) {
  const own = features.map((feature: Feature) => feature.serve);
  for (const feature of features as readonly Feature[]) {
    const { serve: load } = feature;
    if (!load) continue;
    const changed = async () => {
      const { serve } = await load();
      return { serve: async (given: Given) => change(feature.name, await serve(given)) };
    };
    Object.assign(feature, { serve: changed });
  }
  try {
    await work();
  } finally {
    for (const [at, serve] of own.entries()) if (serve) Object.assign(features[at]!, { serve });
  }
}

const served = features.filter((feature: Feature) => feature.serve).map(({ name }) => name);

describe('a start that fails', () => {
  it.each(oneStep)('leaves nothing open when %s', async (_what, options) => {
    await expectNothingOpen(options);
    // The lock of the folder is free too.
    await (await start()).stop();
  });

  it.each(everyCall)('leaves nothing open, at whichever call %s fails', async (_what, breaking) => {
    let failed = 0;
    for (let from = 0; ; from++) {
      const breaker = new Breaker(from);
      const before = await openThings();
      const server = await start(breaking(breaker)).catch((error: unknown) => void expect(error).toBeInstanceOf(Error));
      breaker.isMended = true;
      const isBroken = breaker.calls > from;
      if (server) await server.stop();
      else failed++;
      await expect.poll(openThings, { message: `after call ${from}` }).toEqual(before);
      if (!isBroken) break;
    }
    expect(failed).toBeGreaterThan(0);
  });

  it.each(['is built', 'begins'])(
    'stops every feature that was built, whichever of them fails when it %s',
    async (when) => {
      for (const failing of served) {
        const [built, stopped] = [new Set<string>(), new Set<string>()];
        const change = (name: string, one: ServedOf): ServedOf => {
          if (name === failing && when === 'is built') fail();
          built.add(name);
          const begin = () => (name === failing ? fail() : one.work?.begin());
          const stop = async () => {
            stopped.add(name);
            await one.work?.stop();
          };
          return { ...one, work: { begin, stop } };
        };
        await whileServed(change, () => expectNothingOpen({}));
        expect(stopped, failing).toEqual(built);
      }
    },
  );
});
