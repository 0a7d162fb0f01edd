import type {
  CounterDifference,
  HashedContent,
  ScrubPosition,
  StoreCheckTable,
} from '#server/domain/store-check/table.ts';
import { counters as countersOfFeatures, fileTables } from '#server/feature-parts.ts';
import { addressColumns } from './address-columns.ts';
import { column, hex, mapped, nullable, record, snakeCase } from './columns.ts';
import { markForDeletion, startOf } from './blob-rows.ts';
import { ofFiles, storedBlobsOf } from './contents.ts';
import { ofAccounts, type Counter, type Sum } from './counter.ts';
import { etagColumn } from './etag-column.ts';
import { table, type Rows, type TableContext } from './rows.ts';

/** Counters of accounts whose sums are all over rows of features. */
const ofFeatures = ['used_bytes', 'trash_bytes', 'trash_objects', 'used_objects'];

const ofCore: readonly Counter[] = [
  ...ofFeatures.map((column) => ({ table: 'accounts', key: 'account_id', column, sums: [] })),
  ofAccounts('reserved_bytes', 'size_bytes', 'reservations'),
  ofAccounts('flowing_bytes', 'flowing_bytes', 'reservations'),
  {
    table: 'contents',
    key: 'content_id',
    column: 'size_bytes',
    sums: [{ value: 'size_bytes', of: 'content_blobs', where: 'content_id = contents.content_id' }],
    where: 'blob_id IS NULL',
  },
  {
    table: 'contents',
    key: 'content_id',
    column: 'pointing_rows',
    sums: fileTables.map((of) => ({ value: '1', of, where: 'content_id = contents.content_id' })),
    where: hasFile(),
  },
];

/** By table and column, the sums of all features together. */
const counters: ReadonlyMap<string, Counter> = new Map(
  [...Map.groupBy([...ofCore, ...countersOfFeatures], ({ table: name, column: of }) => `${name}.${of}`)].map(
    ([name, all]) => [name, { ...all[0]!, sums: all.flatMap(({ sums }) => sums) }],
  ),
);

function sumOf({ value, of, where }: Sum): string {
  return `CAST(coalesce((SELECT sum(${value}) FROM ${of} WHERE ${of}.${where}), 0) AS BIGINT)`;
}

/** Whether a file has the content, also one in the trash. */
function hasFile(): string {
  const one = (of: string) => `EXISTS (SELECT 1 FROM ${of} WHERE ${of}.content_id = contents.content_id)`;
  return `(${fileTables.map(one).join(' OR ')})`;
}

/** Differences of one counter that are shown. The rest appears when these are repaired. */
const mostShown = 1_000;

const hashed = table(
  `(SELECT content_id, size_bytes,
      ${ofFiles('sha256')} AS sha256, ${ofFiles('etag')} AS etag FROM contents) AS hashed`,
  record<HashedContent>({
    ...snakeCase('contentId', 'sizeBytes'),
    sha256: nullable(hex('sha256')),
    etag: nullable(etagColumn),
  }),
);

const files = fileTables.map((name) => table(name, addressColumns));

const days = table('usage_days', record<{ accountId: string; day: number }>({ accountId: 'account_id', day: 'day' }));

const positions = table(
  'scrub',
  record<ScrubPosition & { readonly one?: undefined }>({
    one: mapped(
      column<number>('one'),
      () => undefined,
      () => 1,
    ),
    ...snakeCase('beganAt', 'readBytes', 'readFiles', 'lastContentId', 'requestedAt', 'endedAt'),
  }),
  'one',
);

/** What a check of the store compares. */
export function storeCheckTable(
  rows: Rows,
  context: Pick<TableContext, 'now' | 'onMarkedForDeletion'>,
): StoreCheckTable {
  const differencesOf = async (counter: string): Promise<CounterDifference[]> => {
    const { table: name, key, column, sums, where = '1 = 1' } = counters.get(counter)!;
    const sum = sums.map(sumOf).join(' + ');
    const compared = table(
      `(SELECT ${key} AS subject, ${column} AS stored, ${sum} AS actual FROM ${name} WHERE ${where}) AS compared`,
      record<Omit<CounterDifference, 'counter'>>({ subject: 'subject', stored: 'stored', actual: 'actual' }),
    );
    const found = await rows.all(compared, `WHERE stored <> actual ORDER BY subject LIMIT ${mostShown}`);
    return found.map((difference) => ({ counter, ...difference }));
  };

  return {
    async differences() {
      const all: CounterDifference[] = [];
      for (const counter of counters.keys()) all.push(...(await differencesOf(counter)));
      return all;
    },
    impossibleDays: async () =>
      rows.all(days, "WHERE day % 86400000 <> 0 OR byte_ms LIKE '-%' OR object_ms LIKE '-%' ORDER BY account_id, day"),
    unusedContents: async () =>
      rows.values<string>(
        `SELECT content_id FROM contents WHERE NOT ${hasFile()} ORDER BY content_id LIMIT ${mostShown}`,
      ),
    hashed: async (after, limit) => rows.all(hashed, 'WHERE content_id > ? ORDER BY content_id LIMIT ?', after, limit),
    async filesOf(contentId) {
      const which = 'WHERE content_id = ? ORDER BY account_id, key';
      const found = [];
      for (const of of files) found.push(...(await rows.all(of, which, contentId)));
      return found;
    },
    async contentsOfBlob(blobId) {
      const from = (name: string) => `SELECT content_id FROM ${name} WHERE blob_id = ?1 AND inline IS NULL`;
      const only = `${from('contents')} AND ${startOf('blob_id')} = ${startOf('CAST(?1 AS TEXT)')}`;
      return rows.values<string>(`${only} UNION ALL ${from('content_blobs')}`, blobId);
    },
    scrubPosition: async () => rows.one(positions),
    damagedCount: async () => Number(await rows.value('SELECT count(*) FROM damaged_contents')),
    async settle({ counter, subject }) {
      const { table: name, key, column, sums } = counters.get(counter)!;
      const sum = sums.map(sumOf).join(' + ');
      await rows.write(`UPDATE ${name} SET ${column} = ${sum} WHERE ${key} = ?`, subject);
    },
    async removeDay(accountId, day) {
      await rows.write('DELETE FROM usage_days WHERE account_id = ? AND day = ?', accountId, day);
    },
    async removeUnused(contentId) {
      const unused = `FROM contents WHERE content_id = ? AND NOT ${hasFile()}`;
      if ((await rows.value(`SELECT 1 ${unused}`, contentId)) === undefined) return;
      await markForDeletion(rows, context, storedBlobsOf, contentId);
      await rows.write('DELETE FROM contents WHERE content_id = ?', contentId);
    },
    saveScrubPosition: async (position) => rows.put(positions, position),
    async noteDamage(contentId, isDamaged) {
      if (!isDamaged) return (await rows.run('DELETE FROM damaged_contents WHERE content_id = ?', contentId)) > 0;
      const note = `INSERT INTO damaged_contents (content_id, found_at)
        SELECT content_id, ? FROM contents WHERE content_id = ? ON CONFLICT (content_id) DO NOTHING`;
      return (await rows.run(note, context.now, contentId)) > 0;
    },
  };
}
