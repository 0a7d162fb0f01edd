import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { statement } from '#server/stores/sqlite/connection.ts';
import { DatabaseLocked, WriterClosed } from '#server/stores/sqlite/writer-errors.ts';
import { watchHolds } from '#test/faults/watch-holds.ts';
import {
  commits,
  connections,
  faults,
  heldSyncs,
  notes,
  path,
  restart,
  withWriter,
  write,
  writer,
} from './writer-in-test.ts';

withWriter();

describe('Writer.atomically()', () => {
  it('resolves with the result of the work once another connection sees its writes', async () => {
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

  it('never grants more than 3 of 64 parallel claims on a counter with a cap of 3, for 50 rounds', async () => {
    connections.writer.exec('CREATE TABLE slot (round INTEGER PRIMARY KEY, remaining INTEGER NOT NULL) STRICT');
    for (let round = 0; round < 50; round++) {
      await writer.atomically((tx) => tx.db.prepare('INSERT INTO slot VALUES (?, 3)').run(round));
      const claims = await Promise.all(
        Array.from({ length: 64 }, () =>
          writer.atomically(async (tx) => {
            await null;
            const row = statement(
              tx.db,
              'UPDATE slot SET remaining = remaining - 1 WHERE round = ? AND remaining > 0 RETURNING remaining',
            ).get(round);
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

  it('starts no more pieces once the batch has used its time, and serves the event loop between batches', async () => {
    await restart({ maxBatchMs: 8 });
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    await Promise.all(Array.from({ length: 6 }, () => writer.atomically(() => busyFor(5))));
    clearInterval(counting);
    expect(commits.reduce((sum, pieces) => sum + pieces)).toBe(6);
    expect(Math.max(...commits)).toBeLessThanOrEqual(2);
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('rolls back the writes of a piece that throws, and keeps those of its neighbours', async () => {
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

  it('runs each piece once when none throws, and all of a batch once more when one throws', async () => {
    const runs: string[] = [];
    const counted = (name: string, fails = false) =>
      writer.atomically((tx) => {
        runs.push(name);
        write(tx, name);
        if (fails) throw new Error('no');
      });
    await Promise.all(['a', 'b', 'c'].map((name) => counted(name)));
    expect(runs.splice(0)).toEqual(['a', 'b', 'c']);
    await Promise.allSettled([counted('d'), counted('e', true), counted('f')]);
    expect(runs.splice(0)).toEqual(['d', 'e', 'd', 'e', 'f']);
    await Promise.allSettled([counted('g', true)]);
    expect(runs).toEqual(['g']);
    expect(notes()).toEqual(['a', 'b', 'c', 'd', 'f']);
  });

  it('keeps of random batches what running one piece after another would keep', async () => {
    const piece = fc.record({ text: fc.integer({ min: 0, max: 8 }), fails: fc.boolean(), writesFirst: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        await writer.atomically((tx) => tx.db.exec('DELETE FROM note'));
        const kept: string[] = [];
        // The column is unique, so a piece also fails because of what an earlier one wrote.
        for (const { text, fails } of pieces) if (!fails && !kept.includes(`${text}`)) kept.push(`${text}`);
        const settled = await Promise.allSettled(
          pieces.map(({ text, fails, writesFirst }) =>
            writer.atomically((tx) => {
              if (writesFirst || !fails) write(tx, `${text}`);
              if (fails) throw new Error('no');
            }),
          ),
        );
        expect(notes()).toEqual(kept);
        expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(kept.length);
      }),
      { numRuns: 50 },
    );
  });

  it('rejects with a refusal only after the commit', async () => {
    const order: string[] = [];
    await restart({ maxBatchMs: 10_000, onCommit: () => order.push('commit') });
    await Promise.allSettled([
      writer.atomically((tx) => write(tx, 'a')),
      writer.atomically(() => Promise.reject(new Error('no'))).catch(() => order.push('refused')),
      writer.atomically((tx) => write(tx, 'b')),
    ]);
    expect(order).toEqual(['commit', 'refused']);
  });

  it('runs each piece again when the commit itself fails, so that only the piece at fault fails', async () => {
    connections.writer.exec(
      'CREATE TABLE child (note INTEGER REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED) STRICT',
    );
    const settled = await Promise.allSettled([
      writer.atomically((tx) => write(tx, 'kept')),
      writer.atomically((tx) => tx.db.exec('INSERT INTO child VALUES (999)')), // found only by COMMIT
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(settled[1]).toMatchObject({ reason: { message: expect.stringContaining('FOREIGN KEY') } });
    expect(notes()).toEqual(['kept']);
  });

  it('runs in the context of its own caller, also when another caller started the batch', async () => {
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

  it('throws when called inside another call, and rolls back the outer one', async () => {
    const nested = writer.atomically(async (tx) => {
      write(tx, 'outer');
      await writer.atomically((inner) => write(inner, 'inner'));
    });
    await expect(nested).rejects.toThrow('inside atomically()');
    expect(notes()).toEqual([]);
  });

  it('can be called again after the first call has ended, also by work that it left running', async () => {
    let later: Promise<unknown> | undefined;
    await writer.atomically((tx) => {
      write(tx, 'a');
      later = sleep(5).then(() => writer.atomically((next) => write(next, 'b')));
    });
    await later;
    expect(notes()).toEqual(['a', 'b']);
  });

  it('gives every piece of a transaction the time at which the transaction began', async () => {
    let clock = 1000;
    await restart({ now: () => clock++ });
    const instants = await Promise.all([1, 2, 3].map(() => writer.atomically((tx) => tx.now)));
    expect(instants).toEqual([1000, 1000, 1000]);
    expect(await writer.atomically((tx) => tx.now)).toBe(1001);
  });

  it('rolls back and fails a piece that waits for a timer, without delaying its neighbours', async () => {
    const timer = Promise.withResolvers<void>();
    const wokeUp = Promise.withResolvers<void>();
    let late: unknown;
    const [waiting, neighbour] = await Promise.allSettled([
      writer.atomically(async (tx) => {
        write(tx, 'undone');
        await timer.promise;
        try {
          write(tx, 'stray');
        } catch (error) {
          late = error;
        }
        wokeUp.resolve();
      }),
      writer.atomically((tx) => write(tx, 'kept')),
    ]);
    expect(waiting).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('waited for something') },
    });
    expect(neighbour.status).toBe('fulfilled');
    timer.resolve();
    await wokeUp.promise;
    expect(late).toMatchObject({ message: expect.stringContaining('has ended') });
    expect(notes()).toEqual(['kept']);
  });

  it('lets a piece await any number of resolved promises', async () => {
    await writer.atomically(async (tx) => {
      for (let count = 0; count < 1000; count++) await null;
      write(tx, 'a');
    });
    expect(notes()).toEqual(['a']);
  });

  it.each(['COMMIT', 'ROLLBACK', 'RELEASE piece', 'ROLLBACK TO piece', 'BEGIN'])(
    'does not let a piece execute %s',
    async (sql) => {
      const settled = await Promise.allSettled([
        writer.atomically((tx) => write(tx, 'kept')),
        writer.atomically((tx) => {
          write(tx, 'undone');
          tx.db.exec(sql);
        }),
      ]);
      expect(settled[1]).toMatchObject({ status: 'rejected', reason: { message: 'not authorized' } });
      expect(notes()).toEqual(['kept']);
    },
  );

  it('lets a piece use its own savepoints', async () => {
    await writer.atomically((tx) => {
      write(tx, 'a');
      tx.db.exec('SAVEPOINT mine');
      write(tx, 'undone');
      tx.db.exec('ROLLBACK TO mine; RELEASE mine');
    });
    expect(notes()).toEqual(['a']);
  });

  it('runs the neighbours again when a piece made SQLite roll back the whole transaction', async () => {
    const settled = await Promise.allSettled([
      writer.atomically((tx) => write(tx, 'a')),
      writer.atomically((tx) => tx.db.exec("INSERT OR ROLLBACK INTO note (text) VALUES ('a')")),
      writer.atomically((tx) => write(tx, 'b')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(notes()).toEqual(['a', 'b']);
  });

  it('fails a piece that swallows the error of a complete rollback', async () => {
    const hiding = writer.atomically((tx) => {
      write(tx, 'a');
      try {
        tx.db.exec("INSERT OR ROLLBACK INTO note (text) VALUES ('a')");
      } catch {
        // The piece swallows the error. That is the fault under test.
      }
    });
    await expect(hiding).rejects.toThrow('rolled back while this work ran');
    expect(notes()).toEqual([]);
  });

  it('fails writes that do not fit on a full disk, and continues with those that do', async () => {
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
    const holds = watchHolds(5);
    holds.begin();
    const startedAt = performance.now();
    await writer.atomically((tx) => write(tx, 'a'));
    const waitedMs = performance.now() - startedAt;
    const heldMs = holds.end();
    await ended(other);
    expect(waitedMs).toBeGreaterThan(150);
    expect(heldMs).toBeLessThan(200);
    expect(notes()).toEqual(['a']);
  });

  it('throws DatabaseLocked when another process holds the lock for too long, and works again afterwards', async () => {
    await restart({ maxBusyMs: 100 });
    const other = await holdLock(10_000);
    const settled = await Promise.allSettled([1, 2].map((id) => writer.atomically((tx) => write(tx, `lost ${id}`))));
    expect(settled.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([
      expect.any(DatabaseLocked),
      expect.any(DatabaseLocked),
    ]);
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
  it("calls back after the commit and before the caller's promise resolves", async () => {
    const order: unknown[] = [];
    await writer.atomically((tx) => {
      write(tx, 'a');
      tx.afterCommit(() => order.push(notes()));
    });
    order.push('answered');
    expect(order).toEqual([['a'], 'answered']);
  });

  it('calls back at the commit without waiting for a sync', async () => {
    const { next, end } = heldSyncs();
    const order: string[] = [];
    const asked = writer
      .atomically((tx) => (write(tx, 'a'), tx.afterCommit(() => order.push('called back'))))
      .then(() => order.push('answered'));
    await next(1);
    expect(order).toEqual(['called back']);
    end(0);
    await asked;
    expect(order).toEqual(['called back', 'answered']);
  });

  it('never calls back when the writes were rolled back', async () => {
    const called: string[] = [];
    const refused = writer.atomically((tx) => {
      tx.afterCommit(() => called.push('undone'));
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(called).toEqual([]);
  });

  it('calls back once when the transaction had to run twice', async () => {
    const called: string[] = [];
    await Promise.allSettled([
      writer.atomically((tx) => (write(tx, 'a'), tx.afterCommit(() => called.push('a')))),
      writer.atomically((tx) => tx.db.exec("INSERT OR ROLLBACK INTO note (text) VALUES ('a')")),
    ]);
    expect(called).toEqual(['a']);
  });

  it('reports callbacks that throw or reject, and resolves for the caller all the same', async () => {
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
  it('finishes queued work and refuses later work', async () => {
    const queued = writer.atomically((tx) => write(tx, 'a'));
    const closing = writer.close();
    await expect(writer.atomically((tx) => write(tx, 'late'))).rejects.toBeInstanceOf(WriterClosed);
    await closing;
    await queued;
    await writer.close();
    expect(notes()).toEqual(['a']);
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
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, path, String(ms)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

function busyFor(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}
