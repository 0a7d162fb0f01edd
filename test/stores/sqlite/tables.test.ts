import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';

import { MetadataFull, MetadataUnavailable } from '#server/domain/ports/metadata.ts';
import { Connections } from '#server/stores/sqlite/connection.ts';
import { SqliteMetadata } from '#server/stores/sqlite/metadata.ts';
import { openSqliteStores, type SqliteStores } from '#test/support/stores.ts';
import { unexcepted } from '../plans/exceptions.ts';
import { recordSqlite } from '../plans/recorded.ts';
import { LargeSqlite } from '../plans/sqlite-plans.ts';
import { metadataConformance } from '../metadata/conformance.ts';
import { partNumber } from '#test/support/parsed.ts';

/** What the tests of the tables prepare, which is all that tables can. */
const recording = recordSqlite();
afterAll(() => recording.stop());

metadataConformance('SqliteMetadata', async () => {
  const stores = await openSqliteStores();
  return { metadata: stores.metadata, clock: stores.clock, deletionMarks: stores.deletionMarks, close: stores.close };
});

/** Opens a second store over the same file that does not wait for locks. */
function impatient(stores: SqliteStores) {
  const connections = new Connections(pathOf(stores), { sync: false });
  const metadata = new SqliteMetadata(connections, {
    now: () => 0,
    onFault: () => {},
    onMarkedForDeletion: () => {},
    maxBusyMs: 1,
  });
  return { metadata, close: async () => (await metadata.close(), connections.close()) };
}

const pathOf = (stores: SqliteStores) => stores.connections.writer.location()!;

describe('SqliteMetadata', () => {
  it('rejects with MetadataUnavailable and the cause while another process holds the lock', async () => {
    const stores = await openSqliteStores();
    const second = impatient(stores);
    const locker = new DatabaseSync(pathOf(stores));
    locker.exec('BEGIN IMMEDIATE');
    const failure = await second.metadata.atomically(async () => {}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MetadataUnavailable);
    expect(failure).toMatchObject({ cause: { name: 'DatabaseLocked' } });
    locker.exec('ROLLBACK');
    await expect(second.metadata.atomically(async () => 'again')).resolves.toBe('again');
    locker.close();
    await second.close();
  });

  it('rejects with MetadataUnavailable once it is closed', async () => {
    const stores = await openSqliteStores();
    const second = impatient(stores);
    await second.close();
    await expect(second.metadata.atomically(async () => {})).rejects.toBeInstanceOf(MetadataUnavailable);
  });

  it('rejects with MetadataFull when the database cannot grow, and works again when it can', async () => {
    const stores = await openSqliteStores();
    const account = await stores.account();
    const { writer } = stores.connections;
    const pages = Number(writer.prepare('PRAGMA page_count').get()!.page_count);
    writer.exec(`PRAGMA max_page_count = ${pages}`);
    const big = () =>
      stores.metadata.atomically((tx) =>
        tx.contents.add({
          id: 'big',
          sizeBytes: 1e6,
          crc32: 1,
          blobs: [{ blobId: 'b', sizeBytes: 1e6, inline: Buffer.alloc(1e6) }],
        }),
      );
    await expect(big()).rejects.toBeInstanceOf(MetadataFull);
    expect(await stores.metadata.read.contents.find('big')).toBeUndefined();
    expect(await stores.metadata.read.accounts.find(account.id)).toEqual(account);
    writer.exec('PRAGMA max_page_count = 1000000');
    await big();
  });

  it.each([
    [5, 'busy', 'MetadataUnavailable'],
    [10, 'an I/O error', 'MetadataFailed'],
    [0x60a, 'an I/O error of another kind', 'MetadataFailed'],
    [11, 'damage', 'MetadataFailed'],
    [13, 'full', 'MetadataFull'],
    [8, 'read only', 'MetadataFailed'],
    [14, 'cannot open', 'MetadataFailed'],
    [15, 'a lock', 'MetadataUnavailable'],
  ])('for SQLite error %i (%s) rejects with %s in the work, and while reading', async (errcode, _, name) => {
    const stores = await openSqliteStores();
    const error = Object.assign(new Error('from SQLite'), { errcode });
    await expect(stores.metadata.atomically(() => Promise.reject(error))).rejects.toMatchObject({
      name,
      cause: error,
    });
    const { writer, log } = stores.connections;
    const broken = {
      get reader(): never {
        throw error;
      },
      writer,
      log,
    } as unknown as Connections;
    const { read } = new SqliteMetadata(broken, { now: () => 0, onFault: () => {}, onMarkedForDeletion: () => {} });
    const scan = { accountId: '', space: 'public', prefix: '', limit: 1 } as const;
    const reads = [
      read.accounts.find(''),
      read.accounts.list(),
      read.apiKeys.find(''),
      read.apiKeys.findByHash(Buffer.alloc(0)),
      read.apiKeys.listOf(''),
      read.apiKeys.liveOf('', 0),
      read.activity.scan({ accountId: '', limit: 1 }),
      read.objects.find({ ...scan, key: '' }),
      read.objects.scan(scan),
      read.contents.find(''),
      read.accounts.usageOf('', 0),
      read.objects.expired(0, 1),
      read.clockJump.find(),
      read.legacyImports.find({ accountId: '', key: '' }),
      read.rules.listOf(''),
      read.rules.accountsThatDelete(),
      read.chunkedUploads.find(''),
      read.chunkedUploads.partsOf('', 0, 1),
      read.chunkedUploads.part('', partNumber(1)),
      read.chunkedUploads.openOf('', 0),
      read.chunkedUploads.idle(0, 1),
      read.objects.unhashed('', 1),
    ];
    for (const one of await Promise.allSettled(reads))
      expect(one).toMatchObject({
        status: 'rejected',
        reason: { name, cause: error },
      });
  });

  it.each([
    [19, 'a constraint'],
    [1, 'wrong SQL'],
    [20, 'a wrong type'],
  ])('passes on SQLite error %i (%s), because it is a fault of the server', async (errcode) => {
    const stores = await openSqliteStores();
    const error = Object.assign(new Error('from SQLite'), { errcode });
    await expect(stores.metadata.atomically(() => Promise.reject(error))).rejects.toBe(error);
  });

  it('reads no more of 10 million files than it needs, by any statement of any table', async () => {
    const { connections } = await openSqliteStores();
    const large = new LargeSqlite(connections.writer, { isCounted: false });
    expect(await unexcepted(recording, (sql) => large.problemsOf(sql))).toEqual([]);
  });

  it('reads a page of a list from the index alone, from any position', async () => {
    const { connections, metadata } = await openSqliteStores();
    const texts: string[] = [];
    const reader = connections.reader;
    const prepare = reader.prepare.bind(reader);
    reader.prepare = (sql: string) => (texts.push(sql), prepare(sql));
    await metadata.read.objects.scan({ accountId: 'a', space: 'public', prefix: 'p', limit: 5 });
    await metadata.read.objects.scan({
      accountId: 'a',
      space: 'public',
      prefix: 'p',
      limit: 5,
      from: { behind: 'pq' },
    });
    expect(texts).toHaveLength(2);
    for (const sql of texts) {
      const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all('a', 0, 'p', 'p', 5)
        .map(({ detail }) => String(detail));
      expect(plan).toEqual([
        expect.stringMatching(
          /^SEARCH objects USING PRIMARY KEY \(account_id=\? AND space=\? AND key>\? AND key<\?\)$/,
        ),
      ]);
    }
  });

  it('reads a page of folders from the index alone, one entry after another', async () => {
    const { connections, metadata } = await openSqliteStores();
    const texts: string[] = [];
    const reader = connections.reader;
    const prepare = reader.prepare.bind(reader);
    reader.prepare = (sql: string) => (texts.push(sql), prepare(sql));
    const scan = { accountId: 'a', space: 'public', prefix: 'p', delimiter: '/', now: 0, limit: 5 } as const;
    await metadata.read.objects.scanRolledUp({ ...scan, from: { behind: 'pq' } });
    const plan = prepare(`EXPLAIN QUERY PLAN ${texts[0]}`)
      .all({
        account: 'a',
        space: 0,
        prefix: 'p',
        delimiter: '/',
        behind: '0',
        least: '',
        now: 0,
        limit: 5,
        start: 'p',
        end: 'q',
      })
      .map(({ detail }) => String(detail));
    const ofTable = plan.filter((line) => /(objects|file) /.test(line));
    expect(ofTable.toSorted()).toEqual([
      'SEARCH file USING PRIMARY KEY (account_id=? AND space=? AND key=?)',
      ...Array(2).fill('SEARCH file USING PRIMARY KEY (account_id=? AND space=? AND key>? AND key<?)'),
      'SEARCH objects USING PRIMARY KEY (account_id=? AND space=? AND key=?)',
    ]);
    // Entries come first, and all that is looked for is a single file each time.
    expect(plan.indexOf('SCAN entries')).toBeLessThan(
      plan.indexOf(ofTable.find((line) => line.includes(' objects '))!),
    );
    expect(plan.filter((line) => /AUTOMATIC|TEMP B-TREE FOR ORDER/.test(line)).length).toBeLessThanOrEqual(1);
  });
});
