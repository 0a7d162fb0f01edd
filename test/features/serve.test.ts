import { createHook } from 'node:async_hooks';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { mockGiven } from '#mocks/mock/given.ts';
import { mockConfig } from '#mocks/mock/settings.ts';
import type { Given } from '#server/compose/given.ts';
import { serveFeatures, stopAll } from '#server/compose/serve-features.ts';
import type { Config } from '#server/config/config.ts';
import { nextTurn } from '#server/event-loop.ts';
import { root } from '#test/architecture/imports.ts';

/** What an asynchronous function creates although nothing goes on after it. */
const harmless: ReadonlySet<string> = new Set(['PROMISE', 'TickObject', 'Microtask']);

/** Returns the kinds of timers, files, sockets, threads and processes that something begins. */
async function begunBy(something: () => Promise<unknown>): Promise<string[]> {
  const kinds: string[] = [];
  const hook = createHook({ init: (_id, kind) => void (harmless.has(kind) || kinds.push(kind)) }).enable();
  try {
    await something();
  } finally {
    hook.disable();
  }
  return kinds;
}

describe('serve() of every feature', () => {
  const { ai, images } = mockConfig;
  it.each<[string, Partial<Config>]>([
    ['the settings of the mock', {}],
    ['a model file', { ai: { ...ai, modelFile: '/nowhere/model.gguf' } }],
    ['image variants', { images: { ...images, isOn: true } }],
    ['waiting requests and a record of them', { ai: { ...ai, queueMs: { chat: 1000, agents: 1000 }, logDays: 7 } }],
  ])('begins nothing: no timer, no file and no process, with %s', async (_which, settings) => {
    const given = (): Given => ({ ...mockGiven('http://127.0.0.1:7410'), config: { ...mockConfig, ...settings } });
    // The first time loads the modules, which are files.
    await stopAll(await serveFeatures(given()));
    const again = given();
    expect(await begunBy(() => serveFeatures(again))).toEqual([]);
  });
});

it('what stops in several steps goes on when one fails', () => {
  const files = globSync('server/**/*.ts', { cwd: root });
  const stops = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(/^( *)async (?:stop|close)\(\).*\n([^]*?)^\1\}/gm)].map(([, , body]) => ({ file, body }));
  });
  expect(stops.length).toBeGreaterThan(20);
  const inSteps = stops.filter(({ body }) => (body!.match(/\bawait\b/g)?.length ?? 0) > 1);
  expect(inSteps.filter(({ body }) => !/await using|allSettled|catch/.test(body!)).map(({ file }) => file)).toEqual([]);
});

it('stopAll() ends all work, also when some of it fails, and throws the first error', async () => {
  const ended: string[] = [];
  const ending = (name: string, error?: Error) => ({
    work: {
      begin() {},
      async stop() {
        await nextTurn();
        ended.push(name);
        if (error) throw error;
      },
    },
  });
  const broken = {
    work: {
      begin() {},
      stop(): Promise<void> {
        throw new Error('at once');
      },
    },
  };
  await expect(stopAll([ending('a', new Error('first')), {}, broken, ending('b')])).rejects.toThrow('first');
  expect(ended).toEqual(['a', 'b']);
});
