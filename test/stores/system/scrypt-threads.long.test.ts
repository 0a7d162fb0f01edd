import { scryptSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { afterEach, describe, expect, it } from 'vitest';

import { scryptThreads, type ScryptThreads } from '#server/stores/system/scrypt-threads.ts';

const cost = { N: 2 ** 14, r: 8, p: 1 };
const salt = Buffer.from('some salt');

/** The niceness of each thread of this process. @see proc_pid_stat(5) */
function nicenesses(): number[] {
  return readdirSync('/proc/self/task').map((thread) =>
    Number(
      readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[16],
    ),
  );
}

describe('scryptThreads()', () => {
  let threads: ScryptThreads;
  afterEach(() => threads.close());

  it('hashes like scrypt, several texts at once and one after another', async () => {
    threads = scryptThreads();
    const texts = ['one', 'zwei 🐻', ''];
    for (let round = 0; round < 2; round++) {
      const hashes = await Promise.all(texts.map((text) => threads.scrypt(text, salt, cost)));
      expect(hashes.map((hash) => Buffer.from(hash).toString('hex'))).toEqual(
        texts.map((text) => scryptSync(text, salt, 32, cost).toString('hex')),
      );
    }
  });

  it('uses the given cost', async () => {
    threads = scryptThreads();
    const dearer = { N: 2 ** 15, r: 8, p: 3 };
    expect(Buffer.from(await threads.scrypt('one', salt, dearer))).toEqual(
      scryptSync('one', salt, 32, { ...dearer, maxmem: 2 ** 27 }),
    );
  });

  it.skipIf(process.platform !== 'linux')(
    'runs with a lower priority than the other threads of the process',
    async () => {
      threads = scryptThreads();
      const before = nicenesses();
      const usual = Math.min(...before);
      await threads.scrypt('one', salt, cost);
      const after = nicenesses();
      expect(Math.min(...after)).toBe(usual);
      expect(after.filter((niceness) => niceness > usual)).toHaveLength(
        before.filter((niceness) => niceness > usual).length + 1,
      );
    },
  );

  it('rejects texts that it cannot hash or that run when it closes, and continues with another thread', async () => {
    threads = scryptThreads();
    await expect(threads.scrypt('one', salt, { ...cost, N: 3 })).rejects.toThrow();
    const running = threads.scrypt('one', salt, { ...cost, p: 50 });
    const failed = expect(running).rejects.toThrow('has ended');
    await threads.close();
    await failed;
    expect(await threads.scrypt('one', salt, cost)).toHaveLength(32);
  });
});
