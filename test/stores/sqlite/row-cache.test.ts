import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { createAccount } from '#server/domain/access/create-account.ts';
import { Connections, openWriter } from '#server/stores/sqlite/connection.ts';
import { record } from '#server/stores/tables/columns.ts';
import { RowCache } from '#server/stores/sqlite/row-cache.ts';
import { SqliteRows } from '#server/stores/sqlite/rows.ts';
import { Writer } from '#server/stores/sqlite/writer.ts';
import { table, where } from '#server/stores/tables/rows.ts';
import { openSqliteStores } from '#test/support/stores.ts';

interface Note {
  readonly id: string;
  readonly text: string;
}

/** Rows that were read from the database, and not from the cache. */
let reads = 0;
const plain = record<Note>({ id: 'id', text: 'text' });
const notes = table<Note>('notes', {
  ...plain,
  read: (row, start) => (reads++, plain.read(row, start)),
});

let connections: Connections;
let path: string;

function cached(maxBytes?: number) {
  const cache = new RowCache(() => connections.reader, maxBytes);
  const rows = new SqliteRows(() => connections.reader, cache);
  return { cache, textOf: (id: string) => rows.cached(notes, 'WHERE id = ?', id)?.text, rows };
}

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-row-cache-'));
  path = join(folder, 'test.db');
  connections = new Connections(path, { sync: false });
  connections.writer.exec(
    "CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT); INSERT INTO notes VALUES ('a', 'one'), ('b', 'two')",
  );
  reads = 0;
  onTestFinished(async () => {
    connections.close();
    await rm(folder, { recursive: true });
  });
});

describe('a cache of rows', () => {
  it('reads a row once while nothing is committed', async () => {
    const { textOf } = cached();
    expect([textOf('a'), textOf('a'), textOf('b')]).toEqual(['one', 'one', 'two']);
    await nextTurn();
    expect(textOf('a')).toBe('one');
    expect(reads).toBe(2);
  });

  it('returns what this process has committed, at once after expire()', () => {
    const { cache, textOf } = cached();
    for (const [sql, expected] of [
      ["UPDATE notes SET text = 'new' WHERE id = 'a'", 'new'],
      ["DELETE FROM notes WHERE id = 'a'", undefined],
      ["INSERT INTO notes VALUES ('a', 'again')", 'again'],
    ] as const) {
      textOf('a');
      connections.writer.exec(sql);
      cache.expire();
      expect(textOf('a')).toBe(expected);
    }
  });

  it('returns what another process has committed, from the next turn on', async () => {
    const { textOf } = cached();
    textOf('a');
    const other = openWriter(path, false);
    other.exec("UPDATE notes SET text = 'theirs' WHERE id = 'a'");
    other.close();
    await nextTurn();
    expect(textOf('a')).toBe('theirs');
  });

  it('notices a commit of another process at once when a row is missing', () => {
    const { textOf } = cached();
    textOf('a');
    const other = openWriter(path, false);
    other.exec("UPDATE notes SET text = 'theirs' WHERE id = 'a'; DELETE FROM notes WHERE id = 'b'");
    other.close();
    expect(textOf('b')).toBeUndefined();
    expect(textOf('a')).toBe('theirs');
  });

  it('does not return rows that are written and not committed', () => {
    const { cache, textOf } = cached();
    textOf('a');
    connections.writer.exec("BEGIN; UPDATE notes SET text = 'half' WHERE id = 'a'");
    cache.expire();
    expect(textOf('a')).toBe('one');
    connections.writer.exec('COMMIT');
    cache.expire();
    expect(textOf('a')).toBe('half');
  });

  it('holds no more than its bytes', () => {
    connections.writer.exec('UPDATE notes SET text = hex(randomblob(2000))');
    const { textOf } = cached(12_000);
    for (const id of ['a', 'b', 'a', 'a']) textOf(id);
    expect(reads).toBe(3);
  });

  it('tells lists of values apart that are the same text when joined', () => {
    connections.writer.exec("INSERT INTO notes VALUES ('x 1:y', 'z'), ('x', 'y 1:z')");
    const { rows } = cached();
    const find = (...values: string[]) => rows.cached(notes, 'WHERE id = ? AND text = ?', ...values)?.id;
    expect([find('x 1:y', 'z'), find('x', 'y 1:z'), find('x', 'none')]).toEqual(['x 1:y', 'x', undefined]);
  });
});

/** A table whose rows are looked up in several ways, and every kind of statement that changes it. */
describe('a look-up after any changes', () => {
  interface Mark {
    readonly id: number;
    readonly owner: string;
    readonly at: number;
  }
  const marks = table('marks', record<Mark>({ id: 'id', owner: 'owner', at: 'at' }), 'id');
  const pick = (most: number) => Math.floor(Math.random() * most);
  const owner = () => 'abc'[pick(3)]!;
  const mark = (): Mark => ({ id: pick(6), owner: owner(), at: pick(4) });
  const changes: Readonly<Record<string, (rows: SqliteRows) => unknown>> = {
    'a new row': (rows) => rows.insert(marks, mark(), 'ON CONFLICT DO NOTHING'),
    'a row in the place of another': (rows) => rows.put(marks, mark()),
    'a row, or a column of the one in its place'(rows) {
      const { id, owner: by, at } = mark();
      const sql = 'INSERT INTO marks (id, owner, at) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at';
      rows.write(sql, id, by, at);
    },
    'a column of a row': (rows) => rows.write('UPDATE marks SET at = ? WHERE id = ?', pick(4), pick(6)),
    'a column that is looked up': (rows) => rows.write('UPDATE marks SET owner = ? WHERE id = ?', owner(), pick(6)),
    'a column that is looked up, by itself': (rows) =>
      rows.write('UPDATE marks SET owner = ? WHERE owner = ? AND at = ?', owner(), owner(), pick(4)),
    'the rows of an owner': (rows) => rows.write('UPDATE marks SET at = at + 1 WHERE owner = ? AND at < 3', owner()),
    'rows by names': (rows) => rows.run('UPDATE marks SET at = :at WHERE owner = :o', { at: pick(4), o: owner() }),
    'a removed row': (rows) => rows.change(marks, 'DELETE FROM marks WHERE id = ?', pick(6)),
    'some removed rows': (rows) => rows.removeSome('marks', 'id', 'owner = ?', owner(), pick(3)),
    'rows that a trigger changes': (rows) => rows.write('UPDATE other SET n = n + 1 WHERE n >= ?', 0),
    'rows that a trigger of the table changes': (rows) => rows.write('DELETE FROM marks WHERE id = ?', 5),
    'a row that a foreign key removes'(rows) {
      const id = pick(6);
      rows.write('DELETE FROM parents WHERE id = ?', id);
      rows.write('INSERT INTO parents (id) VALUES (?)', id);
    },
  };

  it.each([1, 5])('is what the database has, with %i statements in a transaction', async (each) => {
    connections.writer.exec(`
      CREATE TABLE parents (id INTEGER PRIMARY KEY);
      INSERT INTO parents VALUES (0), (1), (2), (3), (4), (5);
      CREATE TABLE marks (id INTEGER PRIMARY KEY REFERENCES parents ON DELETE CASCADE, owner TEXT, at INTEGER);
      CREATE TABLE other (n INTEGER); INSERT INTO other VALUES (1);
      CREATE TRIGGER by_other AFTER UPDATE ON other BEGIN UPDATE marks SET at = 0 WHERE id = 1; END;
      CREATE TRIGGER by_marks AFTER DELETE ON marks WHEN OLD.id = 5 BEGIN UPDATE marks SET at = 9 WHERE id = 2; END`);
    const cache = new RowCache(() => connections.writer);
    const lookUps = (rows: SqliteRows) => [
      ...[0, 1, 2, 3, 4, 5].map((id) => rows.cached(marks, where('id'), id)),
      ...['a', 'b', 'c'].flatMap((one) => [
        rows.allCached(marks, where('owner'), one),
        rows.allCached(marks, 'WHERE owner = ? ORDER BY at, id', one),
        ...[0, 1, 2, 3].map((at) => rows.allCached(marks, where('at', 'owner'), at, one)),
      ]),
    ];
    const reader = () => connections.reader;
    const [seen, real] = [new SqliteRows(reader, cache), new SqliteRows(reader)];
    const writer = new Writer(connections, { now: Date.now, onFault: () => {} });
    for (let round = 0; round < 1000; round++) {
      const names = Array.from({ length: each }, () => Object.keys(changes)[pick(Object.keys(changes).length)]!);
      await writer.atomically((tx) => {
        const rows = new SqliteRows(
          () => tx.db,
          undefined,
          (made, values) => cache.changing(made, values),
        );
        for (const name of names) changes[name]!(rows);
        tx.afterCommit(() => cache.committed());
      });
      expect(lookUps(seen), names.join(', then ')).toEqual(lookUps(real));
    }
    await writer.close();
  });
});

it('shows each commit of the store to the reads that follow it in the same turn', async () => {
  const { metadata, account } = await openSqliteStores();
  const { id } = await account();
  await metadata.read.accounts.find(id);
  let seen: unknown;
  await metadata.atomically(async (tx) => {
    await tx.accounts.setPlan(id, 'hobby');
    tx.afterCommit(() => void metadata.read.accounts.find(id).then((found) => (seen = found?.plan)));
  });
  expect(seen).toBe('hobby');
  expect((await metadata.read.accounts.find(id))?.plan).toBe('hobby');
});

describe.skipIf(process.env.CUBBY_CACHES === 'off')('the cache of a store', () => {
  const usage = { inputTokens: 1, outputTokens: 1 };

  it('keeps rows of tables that a transaction of this process does not change', async () => {
    const { metadata, account } = await openSqliteStores();
    const { id } = await account();
    const known = await metadata.read.accounts.find(id);
    await metadata.atomically((tx) =>
      tx.chat.charge({ accountId: id, keyId: 'key', model: 'cubic', day: 0, startedAt: 0 }, usage),
    );
    await nextTurn();
    expect(await metadata.read.accounts.find(id)).toBe(known);
  });

  it('keeps the other rows of a table of which a transaction of this process changes some', async () => {
    const { metadata, account } = await openSqliteStores();
    const { id } = await account();
    const other = await account();
    const blobs = [{ blobId: 'blob', sizeBytes: 1, inline: Buffer.from('a') }];
    const add = (contentId: string) =>
      metadata.atomically(async (tx) => {
        await tx.contents.add({ id: contentId, sizeBytes: 1, crc32: 1, blobs });
        await tx.accounts.addUsage(other.id, { bytes: 1, objects: 1 });
      });
    await add('one');
    const known = [await metadata.read.accounts.find(id), (await metadata.read.contents.find('one'))!.blobs[0]];
    await add('two');
    await nextTurn();
    expect((await metadata.read.accounts.find(other.id))!.usedObjects).toBe(2);
    expect(await metadata.read.accounts.find(id)).toBe(known[0]);
    expect((await metadata.read.contents.find('one'))!.blobs[0]).toBe(known[1]);
  });

  it('may drop single rows, because no table refers to itself, also not by way of others', async () => {
    const { connections } = await openSqliteStores();
    const names = connections.reader.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const parents = new Map(
      names.map(({ name }) => {
        const keys = connections.reader.prepare('SELECT "table" AS parent FROM pragma_foreign_key_list(?)').all(name!);
        return [name as string, keys.map(({ parent }) => parent as string)] as const;
      }),
    );
    const ancestors = (name: string, seen: readonly string[]): readonly string[] =>
      parents.get(name)!.flatMap((one) => (seen.includes(one) ? [one] : [one, ...ancestors(one, [...seen, one])]));
    expect(ancestors('content_blobs', [])).toEqual(['contents']);
    for (const name of parents.keys()) expect(ancestors(name, [])).not.toContain(name);
  });

  it('keeps rows after some of their table were removed, with any limit', async () => {
    const stores = await openSqliteStores();
    const { metadata } = stores;
    const { accountId: removed } = await createAccount(stores, { name: 'removed', plan: 'pro' });
    const { accountId, key } = await createAccount(stores, { name: 'kept', plan: 'pro' });
    for (const limit of [100, 200]) await metadata.atomically((tx) => tx.accounts.removeSome(removed, limit));
    const known = await metadata.read.apiKeys.find(key.id);
    await metadata.atomically((tx) => tx.accounts.addUsage(accountId, { bytes: 1, objects: 1 }));
    await nextTurn();
    expect(await metadata.read.apiKeys.find(key.id)).toBe(known);
  });

  it('keeps rows while the schema of another database changes', async () => {
    const { metadata, account } = await openSqliteStores();
    const other = await openSqliteStores();
    const { id } = await account();
    const known = await metadata.read.accounts.find(id);
    const theirs = await other.account();
    const migration = openWriter(other.connections.writer.location()!, false);
    migration.exec('CREATE TABLE added (id TEXT)');
    migration.close();
    await other.metadata.atomically((tx) => tx.accounts.setPlan(theirs.id, 'hobby'));
    await other.account(); // prepares again what the first account prepared
    await metadata.atomically((tx) =>
      tx.chat.charge({ accountId: id, keyId: 'key', model: 'cubic', day: 0, startedAt: 0 }, usage),
    );
    await nextTurn();
    expect(await metadata.read.accounts.find(id)).toBe(known);
  });

  it('drops rows that a foreign key removes, and no others', async () => {
    const { metadata, account } = await openSqliteStores();
    const { id } = await account();
    const known = await metadata.read.accounts.find(id);
    const blobs = [{ blobId: 'blob', sizeBytes: 1, inline: Buffer.from('a') }];
    await metadata.atomically((tx) => tx.contents.add({ id: 'content', sizeBytes: 1, crc32: 1, blobs }));
    expect(await metadata.read.contents.find('content')).toMatchObject({ blobs: [{ blobId: 'blob' }] });
    await metadata.atomically((tx) => tx.contents.release('content'));
    expect(await metadata.read.contents.find('content')).toBeUndefined();
    expect(await metadata.read.accounts.find(id)).toBe(known);
  });

  it('keeps rows that a transaction did not change because it threw', async () => {
    const { metadata, account } = await openSqliteStores();
    const { id, plan } = await account();
    const failed = metadata.atomically(async (tx) => {
      await tx.accounts.setPlan(id, 'hobby');
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await metadata.read.accounts.find(id)).toMatchObject({ plan });
  });

  it('drops rows that a trigger of another process changes with those of a known statement', async () => {
    const { metadata, account, connections } = await openSqliteStores();
    const { id } = await account();
    const charge = () =>
      metadata.atomically((tx) =>
        tx.chat.charge({ accountId: id, keyId: 'key', model: 'cubic', day: 0, startedAt: 0 }, usage),
      );
    await charge();
    const other = openWriter(connections.writer.location()!, false);
    other.exec('CREATE TRIGGER renames AFTER UPDATE ON chat_days BEGIN UPDATE accounts SET name = name || 1; END');
    other.close();
    await nextTurn();
    for (const name of ['test', 'test1', 'test11']) {
      expect(await metadata.read.accounts.find(id)).toMatchObject({ name });
      await charge();
    }
  });
});
