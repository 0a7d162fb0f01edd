import { readdirSync, statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

import { beforeEach, describe, expect, it, vi } from 'vitest';

import { connections, faults, folder, notes, path, reopen, withWriter, write, writer } from './writer-in-test.ts';

withWriter();

describe.each([
  ['copied by the writing thread', false],
  ['copied by another thread', true],
])('the write-ahead log, %s,', (_name, isServing) => {
  beforeEach(async () => {
    await reopen({ isServing }, { maxLogPages: 1000 });
  });

  const large = 'x'.repeat(40_000);
  /** Writes about twenty pages: the text is stored in the row and in the index. */
  const writeLarge = (number: number) => writer.atomically((tx) => write(tx, `${number} ${large}`));
  const logBytes = () => statSync(`${path}-wal`).size;

  it('is restarted while others write all the time, so that it stays short', async () => {
    // Counts the writes that overwrote earlier pages. A log that never starts again grows with each write.
    let reusing = 0;
    let number = 0;
    for (; reusing < 500 && number < 5000; number++) {
      const before = logBytes();
      await writeLarge(number);
      if (logBytes() === before) reusing++;
    }
    expect(reusing).toBe(500);
    await expect.poll(() => connections.log.pendingPages()).toBeLessThan(1000);
    expect(notes()).toHaveLength(number);
    expect(faults).toEqual([]);
  });

  it('keeps growing when a copy fails, reports the failure, and retries when it has grown', async () => {
    const broken = new Error('no space');
    const copy = vi.spyOn(connections.log, 'copy').mockRejectedValue(broken);
    for (let number = 0; number < 80; number++) await writeLarge(number);
    expect(connections.log.pendingPages()).toBeGreaterThan(1000);
    expect(faults).toEqual([broken, broken]); // first while others write, and then alone
    copy.mockRestore();
    for (let number = 80; number < 160; number++) await writeLarge(number);
    await expect.poll(() => connections.log.pendingPages()).toBeLessThan(1000);
    expect(faults).toHaveLength(2);
  });

  it('is copied again after the idle copying thread has ended', async () => {
    const terminate = vi.spyOn(Worker.prototype, 'terminate');
    const workers = vi.spyOn(Worker.prototype, 'postMessage');
    // Other threads of this process may end too.
    const ended = () => terminate.mock.contexts.filter((worker) => workers.mock.contexts.includes(worker)).length;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      for (let round = 0; round < 3; round++) {
        await writeLarge(round);
        await connections.log.copy();
        expect(connections.log.pendingPages()).toBe(0);
        vi.advanceTimersByTime(60_000);
        expect(ended()).toBe(isServing ? round + 1 : 0);
      }
    } finally {
      vi.useRealTimers();
      terminate.mockRestore();
      workers.mockRestore();
    }
  });

  it('leaves no other file when everything is closed in the middle of a copy', async () => {
    const copy = vi.spyOn(connections.log, 'copy');
    for (let number = 0; copy.mock.calls.length === 0; number++) await writeLarge(number);
    await writer.close();
    connections.close();
    expect(readdirSync(folder)).toEqual(['cubby.db']);
    await reopen();
    expect(notes().length).toBeGreaterThan(30);
  });
});
