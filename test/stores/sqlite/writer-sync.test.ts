import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, vi } from 'vitest';

import { LogLost } from '#server/stores/sqlite/writer-errors.ts';
import {
  commits,
  connections,
  heldSyncs,
  notes,
  path,
  reopen,
  restart,
  withWriter,
  write,
  writer,
} from './writer-in-test.ts';

withWriter();

/** Runs outside the async context of a transaction, as other requests do. */
const outside = AsyncLocalStorage.snapshot();

/** Returns the order in which the promises of callers settle. */
function answers() {
  const order: string[] = [];
  const ask = (text: string, isDurable = true) =>
    writer.atomically((tx) => write(tx, text), { isDurable }).then(() => void order.push(text));
  return { order, ask };
}

describe('Writer.atomically() and the disk', () => {
  it('resolves when the log is synced, although readers see the writes before', async () => {
    const { next, end } = heldSyncs();
    const { order, ask } = answers();
    const asked = ask('a');
    await next(1);
    expect(notes()).toEqual(['a']);
    await sleep(5);
    expect([order, commits]).toEqual([[], []]);
    end(0);
    await asked;
    expect(commits).toEqual([1]);
  });

  it('collects work that comes during a sync for the next sync', async () => {
    const { sync, next, end } = heldSyncs();
    const { order, ask } = answers();
    const first = ask('first');
    await next(1);
    const others = ['a', 'b', 'c'].map((text) => ask(text));
    await sleep(5);
    expect(notes()).toEqual(['first']);
    end(0);
    await first;
    await next(2);
    expect(notes()).toEqual(['first', 'a', 'b', 'c']);
    expect(order).toEqual(['first']);
    end(1);
    await Promise.all(others);
    expect(commits).toEqual([1, 3]);
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it('holds a refusal until the data that it may depend on is synced', async () => {
    const { next, end } = heldSyncs();
    const { order, ask } = answers();
    const asked = Promise.all([
      ask('a'),
      writer.atomically(() => Promise.reject(new Error('no'))).catch(() => void order.push('refused')),
    ]);
    await next(1);
    await sleep(5);
    expect(order).toEqual([]);
    end(0);
    await asked;
    expect(order).toEqual(['a', 'refused']);
  });

  it('syncs for data that an earlier process may have left, and then not for work that writes nothing', async () => {
    const sync = vi.spyOn(connections.log, 'sync');
    for (let count = 0; count < 3; count++) await writer.atomically(() => notes());
    expect(sync).toHaveBeenCalledTimes(1);
    await writer.atomically((tx) => write(tx, 'a'));
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it('syncs for work that only reads data that another process has committed', async () => {
    const sync = vi.spyOn(connections.log, 'sync');
    await writer.atomically(() => notes());
    using other = new DatabaseSync(path);
    other.exec("PRAGMA synchronous = OFF; INSERT INTO note (text) VALUES ('theirs')");
    expect(await writer.atomically(() => notes())).toEqual(['theirs']);
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it('fails all waiting and later work when the disk does not accept the log, and reports it once', async () => {
    const told: unknown[] = [];
    await restart({ onLost: (error) => told.push(error) });
    const { next, fail } = heldSyncs();
    const broken = new Error('EIO');
    const asked = [writer.atomically((tx) => write(tx, 'a')), writer.atomically(() => Promise.reject(new Error('no')))];
    await next(1);
    asked.push(writer.atomically((tx) => write(tx, 'during')));
    fail(0, broken);
    const reasons = (await Promise.allSettled(asked)).map(
      (outcome) => outcome.status === 'rejected' && (outcome.reason as unknown),
    );
    expect(reasons).toEqual([expect.any(LogLost), expect.any(LogLost), expect.any(LogLost)]);
    expect(told).toEqual([reasons[0]]);
    expect(told).toMatchObject([{ cause: broken }]);
    await expect(writer.atomically((tx) => write(tx, 'after'))).rejects.toBe(told[0]);
    await expect(writer.atomically((tx) => write(tx, 'after'), { isDurable: false })).rejects.toBe(told[0]);
    expect(notes()).toEqual(['a']);
  });

  it('never syncs over a connection that was opened without syncs', async () => {
    const setting = () => connections.writer.prepare('PRAGMA synchronous').get();
    expect(setting()).toEqual({ synchronous: 1 });
    await reopen({ sync: false });
    await writer.atomically((tx) => write(tx, 'a'));
    expect(setting()).toEqual({ synchronous: 0 });
  });
});

describe('Writer.atomically() without isDurable', () => {
  it('does not wait for a sync: its commit comes first, and it resolves at once', async () => {
    const { sync, next, end } = heldSyncs();
    const { order, ask } = answers();
    const durable = [ask('a'), ask('c')];
    await Promise.all([ask('b', false), ask('d', false)]);
    expect([order, commits]).toEqual([['b', 'd'], [2]]);
    await next(1);
    await ask('e', false);
    expect(order).toEqual(['b', 'd', 'e']);
    end(0);
    await Promise.all(durable);
    expect(commits).toEqual([2, 1, 2]);
    expect(notes()).toEqual(['b', 'd', 'a', 'c', 'e']);
    expect(sync).toHaveBeenCalledTimes(1);
  });

  it('is synced with the next work, even if that writes nothing', async () => {
    const sync = vi.spyOn(connections.log, 'sync');
    await writer.atomically(() => {});
    await writer.atomically((tx) => write(tx, 'a'), { isDurable: false });
    expect(sync).toHaveBeenCalledTimes(1);
    await writer.atomically(() => {});
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it('leaves durable work that came while it ran to a separate commit', async () => {
    let late: Promise<unknown> | undefined;
    const first = writer.atomically(
      (tx) => {
        late = outside(() => writer.atomically((other) => write(other, 'late')));
        return write(tx, 'first');
      },
      { isDurable: false },
    );
    await first;
    await late;
    expect(commits).toEqual([1, 1]);
  });

  it('rolls back work that throws, and keeps its neighbours', async () => {
    const failing = writer.atomically((tx) => (write(tx, 'a'), Promise.reject(new Error('no'))), { isDurable: false });
    await Promise.all([
      expect(failing).rejects.toThrow('no'),
      writer.atomically((tx) => write(tx, 'b'), { isDurable: false }),
    ]);
    expect(notes()).toEqual(['b']);
  });
});
