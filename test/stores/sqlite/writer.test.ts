import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connections, statement } from '#server/stores/sqlite/connection.ts';
import { DatabaseLocked, LogLost, Writer, WriterClosed, type WriterOptions, type WriterTransaction } from '#server/stores/sqlite/writer.ts';

let folder: string;
let path: string;
let connections: Connections;
let writer: Writer;
let commits: number[];
let faults: unknown[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cubby-writer-'));
  path = join(folder, 'cubby.db');
  connections = new Connections(path);
  connections.writer.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT');
  commits = [];
  faults = [];
  writer = aWriter();
});

afterEach(async () => {
  await writer.close();
  connections.close();
  rmSync(folder, { recursive: true });
});

function aWriter(options: Partial<WriterOptions> = {}): Writer {
  return new Writer(connections, {
    now: () => 1_700_000_000_000,
    onFault: (error) => faults.push(error),
    onCommit: ({ pieces }) => commits.push(pieces),
    ...options,
  });
}

/** Runs in the context of no transaction, as other requests do. */
const outside = AsyncLocalStorage.snapshot();

const write = (tx: WriterTransaction, text: string) => statement(tx.db, 'INSERT INTO note (text) VALUES (?)').run(text);
const notes = () => connections.reader.prepare('SELECT text FROM note ORDER BY id').all().map((row) => row.text);

/** Holds each sync of the log until the test lets it end. */
function heldSyncs() {
  const held: Array<PromiseWithResolvers<void>> = [];
  const sync = vi.spyOn(connections.log, 'sync').mockImplementation(() => {
    const one = Promise.withResolvers<void>();
    held.push(one);
    return one.promise;
  });
  const next = (count: number) => expect.poll(() => sync.mock.calls.length).toBe(count);
  return { sync, next, end: (number: number) => held[number]!.resolve(), fail: (number: number, error: unknown) => held[number]!.reject(error) };
}

/** Who was answered, in order. */
function answers() {
  const order: string[] = [];
  const ask = (text: string, isLasting = true) => writer.atomically((tx) => write(tx, text), { isLasting }).then(() => void order.push(text));
  return { order, ask };
}

describe('Writer.atomically() and the disk', () => {
  it('answers when the log is synced, though readers see the writes before', async () => {
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

  it('gathers what comes during a sync for the next one', async () => {
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

  it('holds a refusal until what it may rest on is synced', async () => {
    const { next, end } = heldSyncs();
    const { order, ask } = answers();
    const asked = Promise.all([ask('a'), writer.atomically(() => Promise.reject(new Error('no'))).catch(() => void order.push('refused'))]);
    await next(1);
    await sleep(5);
    expect(order).toEqual([]);
    end(0);
    await asked;
    expect(order).toEqual(['a', 'refused']);
  });

  it('syncs for what an earlier process may have left, and then not for work that writes nothing', async () => {
    const sync = vi.spyOn(connections.log, 'sync');
    for (let count = 0; count < 3; count++) await writer.atomically(() => notes());
    expect(sync).toHaveBeenCalledTimes(1);
    await writer.atomically((tx) => write(tx, 'a'));
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it('syncs for work that only reads what another process has committed', async () => {
    const sync = vi.spyOn(connections.log, 'sync');
    await writer.atomically(() => notes());
    using other = new DatabaseSync(path);
    other.exec("PRAGMA synchronous = OFF; INSERT INTO note (text) VALUES ('theirs')");
    expect(await writer.atomically(() => notes())).toEqual(['theirs']);
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it('fails all that waits, and what comes after it, when the disk does not take the log, and tells of it once', async () => {
    const told: unknown[] = [];
    await writer.close();
    writer = aWriter({ onLost: (error) => told.push(error) });
    const { next, fail } = heldSyncs();
    const broken = new Error('EIO');
    const asked = [writer.atomically((tx) => write(tx, 'a')), writer.atomically(() => Promise.reject(new Error('no')))];
    await next(1);
    asked.push(writer.atomically((tx) => write(tx, 'during')));
    fail(0, broken);
    const reasons = (await Promise.allSettled(asked)).map((outcome) => outcome.status === 'rejected' && (outcome.reason as unknown));
    expect(reasons).toEqual([expect.any(LogLost), expect.any(LogLost), expect.any(LogLost)]);
    expect(told).toEqual([reasons[0]]);
    expect(told).toMatchObject([{ cause: broken }]);
    await expect(writer.atomically((tx) => write(tx, 'after'))).rejects.toBe(told[0]);
    await expect(writer.atomically((tx) => write(tx, 'after'), { isLasting: false })).rejects.toBe(told[0]);
    expect(notes()).toEqual(['a']);
  });

  it('never syncs over a connection that was opened without', async () => {
    const setting = () => connections.writer.prepare('PRAGMA synchronous').get();
    expect(setting()).toEqual({ synchronous: 1 });
    await writer.close();
    connections.close();
    connections = new Connections(path, { sync: false });
    writer = aWriter();
    await writer.atomically((tx) => write(tx, 'a'));
    expect(setting()).toEqual({ synchronous: 0 });
  });
});

describe('Writer.atomically() without isLasting', () => {
  it('waits for no sync: its own commit comes first, and is answered at once', async () => {
    const { sync, next, end } = heldSyncs();
    const { order, ask } = answers();
    const lasting = [ask('a'), ask('c')];
    await Promise.all([ask('b', false), ask('d', false)]);
    expect([order, commits]).toEqual([['b', 'd'], [2]]);
    await next(1);
    await ask('e', false);
    expect(order).toEqual(['b', 'd', 'e']);
    end(0);
    await Promise.all(lasting);
    expect(commits).toEqual([2, 1, 2]);
    expect(notes()).toEqual(['b', 'd', 'a', 'c', 'e']);
    expect(sync).toHaveBeenCalledTimes(1);
  });

  it('is synced with whoever comes after it, though that one writes nothing', async () => {
    const sync = vi.spyOn(connections.log, 'sync');
    await writer.atomically(() => {});
    await writer.atomically((tx) => write(tx, 'a'), { isLasting: false });
    expect(sync).toHaveBeenCalledTimes(1);
    await writer.atomically(() => {});
    expect(sync).toHaveBeenCalledTimes(2);
  });

  it('leaves what must last, and came while it ran, to a commit of its own', async () => {
    let late: Promise<unknown> | undefined;
    const first = writer.atomically((tx) => {
      late = outside(() => writer.atomically((other) => write(other, 'late')));
      return write(tx, 'first');
    }, { isLasting: false });
    await first;
    await late;
    expect(commits).toEqual([1, 1]);
  });

  it('undoes what throws, and keeps its neighbours', async () => {
    const failing = writer.atomically((tx) => (write(tx, 'a'), Promise.reject(new Error('no'))), { isLasting: false });
    await Promise.all([expect(failing).rejects.toThrow('no'), writer.atomically((tx) => write(tx, 'b'), { isLasting: false })]);
    expect(notes()).toEqual(['b']);
  });
});

describe.each([
  ['copied by the thread that writes', false],
  ['copied by another thread', true],
])('the write-ahead log, %s,', (_name, isServing) => {
  beforeEach(async () => {
    await writer.close();
    connections.close();
    connections = new Connections(path, { isServing });
    writer = aWriter({ maxLogPages: 1000 });
  });

  const large = 'x'.repeat(40_000);
  /** About twenty pages each: the text, and once more in the index. */
  const writeLarge = (number: number) => writer.atomically((tx) => write(tx, `${number} ${large}`));
  const logBytes = () => statSync(`${path}-wal`).size;

  it('is begun anew while others write all the time, so that it stays short', async () => {
    for (let number = 0; number < 1500; number++) await writeLarge(number);
    await expect.poll(() => connections.log.pendingPages()).toBeLessThan(1000);
    // 30,000 pages of 4 KiB went through it.
    expect(logBytes()).toBeLessThan(30_000_000);
    expect(notes()).toHaveLength(1500);
    expect(faults).toEqual([]);
  });

  it('grows on when that fails, which is reported, and is tried again when there is more of it', async () => {
    const broken = new Error('no space');
    const copy = vi.spyOn(connections.log, 'copy').mockRejectedValue(broken);
    for (let number = 0; number < 80; number++) await writeLarge(number);
    expect(connections.log.pendingPages()).toBeGreaterThan(1000);
    expect(faults).toEqual([broken, broken]); // with others writing, and then without
    copy.mockRestore();
    for (let number = 80; number < 160; number++) await writeLarge(number);
    await expect.poll(() => connections.log.pendingPages()).toBeLessThan(1000);
    expect(faults).toHaveLength(2);
  });

  it('is copied again after the copying thread has ended for want of work', async () => {
    const ended = vi.spyOn(Worker.prototype, 'terminate');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      for (let round = 0; round < 3; round++) {
        await writeLarge(round);
        await connections.log.copy();
        expect(connections.log.pendingPages()).toBe(0);
        vi.advanceTimersByTime(60_000);
        expect(ended).toHaveBeenCalledTimes(isServing ? round + 1 : 0);
      }
    } finally {
      vi.useRealTimers();
      ended.mockRestore();
    }
  });

  it('leaves nothing beside the file when all are closed in the middle of a copy', async () => {
    const copy = vi.spyOn(connections.log, 'copy');
    for (let number = 0; copy.mock.calls.length === 0; number++) await writeLarge(number);
    await writer.close();
    connections.close();
    expect(readdirSync(folder)).toEqual(['cubby.db']);
    connections = new Connections(path);
    expect(notes().length).toBeGreaterThan(30);
  });
});

describe('Writer.atomically()', () => {
  it('answers with the result of the work once another connection sees its writes', async () => {
    const result = await writer.atomically((tx) => (write(tx, 'a'), 'done'));
    expect(result).toBe('done');
    expect(notes()).toEqual(['a']);
  });

  it('shows nothing to readers before the commit', async () => {
    await writer.atomically(async (tx) => {
      write(tx, 'a');
      await Promise.resolve();
      expect(notes()).toEqual([]);
    });
  });

  it('answers never more than 3 of 64 parallel claims on a counter with a cap of 3, for 50 rounds', async () => {
    connections.writer.exec('CREATE TABLE slot (round INTEGER PRIMARY KEY, remaining INTEGER NOT NULL) STRICT');
    for (let round = 0; round < 50; round++) {
      await writer.atomically((tx) => tx.db.prepare('INSERT INTO slot VALUES (?, 3)').run(round));
      const claims = await Promise.all(
        Array.from({ length: 64 }, () =>
          writer.atomically(async (tx) => {
            await null;
            const row = statement(tx.db, 'UPDATE slot SET remaining = remaining - 1 WHERE round = ? AND remaining > 0 RETURNING remaining').get(round);
            await null;
            return row !== undefined;
          }),
        ),
      );
      expect(claims.filter(Boolean)).toHaveLength(3);
    }
  });

  it('commits work that is queued in the same tick together', async () => {
    await Promise.all(['a', 'b', 'c'].map((text) => writer.atomically((tx) => write(tx, text))));
    expect(commits).toEqual([3]);
  });

  it('takes no further piece once the batch has lasted its time, and serves the event loop between batches', async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    await Promise.all(Array.from({ length: 6 }, () => writer.atomically(() => busyFor(5))));
    clearInterval(counting);
    expect(commits.reduce((sum, pieces) => sum + pieces)).toBe(6);
    expect(Math.max(...commits)).toBeLessThanOrEqual(2);
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('undoes the writes of a piece that throws, and keeps those of its neighbours', async () => {
    const settled = await Promise.allSettled([
      writer.atomically((tx) => write(tx, 'before')),
      writer.atomically((tx) => {
        write(tx, 'undone');
        throw new Error('a refusal');
      }),
      writer.atomically((tx) => write(tx, 'after')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: { message: 'a refusal' } });
    expect(notes()).toEqual(['before', 'after']);
    expect(commits).toEqual([3]);
  });

  it('answers a refusal only after the commit', async () => {
    const order: string[] = [];
    await writer.close();
    writer = aWriter({ onCommit: () => order.push('commit') });
    await Promise.allSettled([
      writer.atomically((tx) => write(tx, 'a')),
      writer.atomically(() => Promise.reject(new Error('no'))).catch(() => order.push('refused')),
      writer.atomically((tx) => write(tx, 'b')),
    ]);
    expect(order).toEqual(['commit', 'refused']);
  });

  it('undoes everything and answers each piece when the commit itself fails, and those without blame succeed', async () => {
    connections.writer.exec('CREATE TABLE child (note INTEGER REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED) STRICT');
    const settled = await Promise.allSettled([
      writer.atomically((tx) => write(tx, 'kept')),
      writer.atomically((tx) => tx.db.exec('INSERT INTO child VALUES (999)')), // found only by COMMIT
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(settled[1]).toMatchObject({ reason: { message: expect.stringContaining('FOREIGN KEY') } });
    expect(notes()).toEqual(['kept']);
  });

  it('runs in the context of its own caller, whoever started the batch', async () => {
    const request = new AsyncLocalStorage<string>();
    const afterwards: Array<string | undefined> = [];
    const seen = await Promise.all(
      ['first', 'second', 'third'].map((name) =>
        request.run(name, () =>
          writer.atomically(async (tx) => {
            tx.afterCommit(() => afterwards.push(request.getStore()));
            await null;
            return request.getStore();
          }),
        ),
      ),
    );
    expect(seen).toEqual(['first', 'second', 'third']);
    expect(afterwards).toEqual(['first', 'second', 'third']);
    expect(commits).toEqual([3]);
  });

  it('throws when called inside another, and the outer one is undone', async () => {
    const nested = writer.atomically(async (tx) => {
      write(tx, 'outer');
      await writer.atomically((inner) => write(inner, 'inner'));
    });
    await expect(nested).rejects.toThrow('inside atomically()');
    expect(notes()).toEqual([]);
  });

  it('may be called again after the first one ended, also from what it left running', async () => {
    let later: Promise<unknown> | undefined;
    await writer.atomically((tx) => {
      write(tx, 'a');
      later = sleep(5).then(() => writer.atomically((next) => write(next, 'b')));
    });
    await later;
    expect(notes()).toEqual(['a', 'b']);
  });

  it('gives every piece of a transaction the instant at which that began', async () => {
    let clock = 1000;
    await writer.close();
    writer = aWriter({ now: () => clock++ });
    const instants = await Promise.all([1, 2, 3].map(() => writer.atomically((tx) => tx.now)));
    expect(instants).toEqual([1000, 1000, 1000]);
    expect(await writer.atomically((tx) => tx.now)).toBe(1001);
  });

  it('undoes and fails a piece that waits for a timer, without holding up its neighbours', async () => {
    const startedAt = performance.now();
    let late: unknown;
    const [waiting, neighbour] = await Promise.allSettled([
      writer.atomically(async (tx) => {
        write(tx, 'undone');
        await sleep(150);
        try {
          write(tx, 'stray');
        } catch (error) {
          late = error;
        }
      }),
      writer.atomically((tx) => write(tx, 'kept')),
    ]);
    expect(performance.now() - startedAt).toBeLessThan(120);
    expect(waiting).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('waited for something') } });
    expect(neighbour.status).toBe('fulfilled');
    await sleep(170);
    expect(late).toMatchObject({ message: expect.stringContaining('has ended') });
    expect(notes()).toEqual(['kept']);
  });

  it('lets a piece await as many resolved promises as it likes', async () => {
    await writer.atomically(async (tx) => {
      for (let count = 0; count < 1000; count++) await null;
      write(tx, 'a');
    });
    expect(notes()).toEqual(['a']);
  });

  it.each(['COMMIT', 'ROLLBACK', 'RELEASE piece', 'ROLLBACK TO piece', 'BEGIN'])('does not let a piece say %s', async (sql) => {
    const settled = await Promise.allSettled([
      writer.atomically((tx) => write(tx, 'kept')),
      writer.atomically((tx) => {
        write(tx, 'undone');
        tx.db.exec(sql);
      }),
    ]);
    expect(settled[1]).toMatchObject({ status: 'rejected', reason: { message: 'not authorized' } });
    expect(notes()).toEqual(['kept']);
  });

  it('lets a piece use savepoints of its own', async () => {
    await writer.atomically((tx) => {
      write(tx, 'a');
      tx.db.exec('SAVEPOINT mine');
      write(tx, 'undone');
      tx.db.exec('ROLLBACK TO mine; RELEASE mine');
    });
    expect(notes()).toEqual(['a']);
  });

  it('runs the neighbours of a piece again when that piece made SQLite roll the whole transaction back', async () => {
    const settled = await Promise.allSettled([
      writer.atomically((tx) => write(tx, 'a')),
      writer.atomically((tx) => tx.db.exec("INSERT OR ROLLBACK INTO note (text) VALUES ('a')")),
      writer.atomically((tx) => write(tx, 'b')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(notes()).toEqual(['a', 'b']);
  });

  it('fails a piece that hides from itself that the whole transaction was rolled back', async () => {
    const hiding = writer.atomically((tx) => {
      write(tx, 'a');
      try {
        tx.db.exec("INSERT OR ROLLBACK INTO note (text) VALUES ('a')");
      } catch {
        // nothing: that is the mistake
      }
    });
    await expect(hiding).rejects.toThrow('rolled back while this work ran');
    expect(notes()).toEqual([]);
  });

  it('fails what does not fit on a full disk, and goes on with what does', async () => {
    await writer.atomically((tx) => write(tx, 'x'.repeat(20_000)));
    const { page_count: pages } = connections.writer.prepare('PRAGMA page_count').get() as { page_count: number };
    connections.writer.exec(`PRAGMA max_page_count = ${pages}`);
    const settled = await Promise.allSettled([
      writer.atomically((tx) => write(tx, 'y'.repeat(200_000))),
      writer.atomically((tx) => write(tx, 'z'.repeat(300_000))),
      writer.atomically((tx) => tx.db.exec('DELETE FROM note')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(settled[0]).toMatchObject({ reason: { errcode: 13 } });
    expect(notes()).toEqual([]);
    await writer.atomically((tx) => write(tx, 'room again'));
    expect(notes()).toEqual(['room again']);
  });

  it('keeps the event loop free while another process holds the lock for 300 ms', async () => {
    const other = await holdLock(300);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const startedAt = performance.now();
    await writer.atomically((tx) => write(tx, 'a'));
    const waitedMs = performance.now() - startedAt;
    delay.disable();
    await ended(other);
    expect(waitedMs).toBeGreaterThan(150);
    expect(delay.max / 1e6).toBeLessThan(200);
    expect(notes()).toEqual(['a']);
  });

  it('answers DatabaseLocked when another process holds the lock for too long, and works again afterwards', async () => {
    await writer.close();
    writer = aWriter({ maxBusyMs: 100 });
    const other = await holdLock(10_000);
    const settled = await Promise.allSettled([1, 2].map((id) => writer.atomically((tx) => write(tx, `lost ${id}`))));
    expect(settled.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([expect.any(DatabaseLocked), expect.any(DatabaseLocked)]);
    other.kill('SIGKILL');
    await ended(other);
    await writer.atomically((tx) => write(tx, 'a'));
    expect(notes()).toEqual(['a']);
  });

  it('shares the file with another process that writes all the time', async () => {
    const other = spawn(process.execPath, ['--input-type=module', '-e', COUNTER, path, '200'], { stdio: 'inherit' });
    const exited = once(other, 'exit');
    for (let count = 0; count < 200; count++) await writer.atomically((tx) => write(tx, `mine ${count}`));
    expect(await exited).toEqual([0, null]);
    expect(notes()).toHaveLength(400);
  });
});

describe('WriterTransaction.afterCommit()', () => {
  it('calls back after the commit and before the caller is answered', async () => {
    const order: unknown[] = [];
    await writer.atomically((tx) => {
      write(tx, 'a');
      tx.afterCommit(() => order.push(notes()));
    });
    order.push('answered');
    expect(order).toEqual([['a'], 'answered']);
  });

  it('calls back at the commit and waits for no sync', async () => {
    const { next, end } = heldSyncs();
    const order: string[] = [];
    const asked = writer.atomically((tx) => (write(tx, 'a'), tx.afterCommit(() => order.push('called back')))).then(() => order.push('answered'));
    await next(1);
    expect(order).toEqual(['called back']);
    end(0);
    await asked;
    expect(order).toEqual(['called back', 'answered']);
  });

  it('never calls back when the writes were undone', async () => {
    const called: string[] = [];
    const refused = writer.atomically((tx) => {
      tx.afterCommit(() => called.push('undone'));
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(called).toEqual([]);
  });

  it('calls back once when the transaction had to be run twice', async () => {
    const called: string[] = [];
    await Promise.allSettled([
      writer.atomically((tx) => (write(tx, 'a'), tx.afterCommit(() => called.push('a')))),
      writer.atomically((tx) => tx.db.exec("INSERT OR ROLLBACK INTO note (text) VALUES ('a')")),
    ]);
    expect(called).toEqual(['a']);
  });

  it('reports callbacks that throw or reject, and answers the caller all the same', async () => {
    const answer = await writer.atomically((tx) => {
      tx.afterCommit(() => {
        throw new Error('thrown');
      });
      tx.afterCommit(() => Promise.reject(new Error('rejected')));
      return 'kept';
    });
    await sleep(1);
    expect(answer).toBe('kept');
    expect(faults).toMatchObject([{ message: 'thrown' }, { message: 'rejected' }]);
  });
});

describe('Writer.close()', () => {
  it('finishes what is queued and refuses what comes later', async () => {
    const queued = writer.atomically((tx) => write(tx, 'a'));
    const closing = writer.close();
    await expect(writer.atomically((tx) => write(tx, 'late'))).rejects.toBeInstanceOf(WriterClosed);
    await closing;
    await queued;
    await writer.close();
    expect(notes()).toEqual(['a']);
  });
});

describe('Connections', () => {
  it('writes durably, checks foreign keys and waits for no lock', () => {
    const setting = (name: string) => Object.values(connections.writer.prepare(`PRAGMA ${name}`).get()!)[0];
    expect(['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map(setting)).toEqual(['wal', 1, 1, 0]);
  });

  it('refuses writes through a reader', () => {
    expect(() => connections.reader.exec("INSERT INTO note (text) VALUES ('a')")).toThrow(/readonly/);
  });

  it('takes its readers in turn', () => {
    const several = new Connections(path, { readers: 2 });
    const [first, second, third] = [several.reader, several.reader, several.reader];
    several.close();
    several.close();
    expect([second === first, third === first]).toEqual([false, true]);
  });

  it('checkpoints the log into the file', async () => {
    await writer.atomically((tx) => write(tx, 'a'));
    expect(connections.checkpoint()).toEqual({ busy: false, remainingPages: 0 });
  });

  it('can be opened by several processes at once when the file is new', async () => {
    const fresh = join(folder, 'fresh.db');
    const code = `import { Connections } from '${import.meta.resolve('#server/stores/sqlite/connection.ts')}'; new Connections(process.argv[1]).close();`;
    const children = Array.from({ length: 4 }, () => spawn(process.execPath, ['--input-type=module', '-e', code, fresh], { stdio: 'inherit' }));
    expect(await Promise.all(children.map((child) => once(child, 'exit')))).toEqual(Array(4).fill([0, null]));
  });

  it('prepares a statement once for each connection', () => {
    expect(statement(connections.writer, 'SELECT 1')).toBe(statement(connections.writer, 'SELECT 1'));
    expect(statement(connections.writer, 'SELECT 1')).not.toBe(statement(connections.reader, 'SELECT 1'));
  });
});

const HOLDER = `
  import { DatabaseSync } from 'node:sqlite';
  const db = new DatabaseSync(process.argv[1], { timeout: 1000 });
  db.exec('BEGIN IMMEDIATE');
  console.log('held');
  setTimeout(() => { db.exec('ROLLBACK'); db.close(); }, Number(process.argv[2]));
`;

const COUNTER = `
  import { DatabaseSync } from 'node:sqlite';
  const db = new DatabaseSync(process.argv[1], { timeout: 5000 });
  const insert = db.prepare('INSERT INTO note (text) VALUES (?)');
  for (let count = 0; count < Number(process.argv[2]); count++) insert.run('theirs ' + count);
  db.close();
`;

async function holdLock(ms: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, path, String(ms)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

function busyFor(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}
