import type { BlobReference, ContentsTable, NamedBlob } from '#server/domain/contents/table.ts';
import type { BlobRows } from '#server/feature.ts';
import { blobRows, fileTables } from '#server/feature-parts.ts';
import { blobColumns, blobFields, markForDeletion, startOf } from './blob-rows.ts';
import { hex, nullable, record, snakeCase } from './columns.ts';
import { table, type Rows, type TableContext, where } from './rows.ts';

/** The only blob of a content, which has its length. Null if there are several. */
const onlyBlob = table('contents', nullable(blobColumns));

const blobs = table('content_blobs', blobColumns);

interface NewRow extends Pick<BlobReference, 'checksum' | 'inline'> {
  readonly contentId: string;
  readonly sizeBytes: number;
  readonly crc32: number;
  readonly pointingRows: number;
  readonly blobId: string | null;
}

const newContents = table(
  'contents',
  record<NewRow>({
    ...snakeCase('contentId', 'sizeBytes', 'crc32', 'pointingRows', 'blobId', 'inline'),
    checksum: blobFields.checksum,
  }),
);

const newBlobs = table(
  'content_blobs',
  record<{ contentId: string; position: number; blob: BlobReference }>({
    contentId: 'content_id',
    position: 'position',
    blob: blobColumns,
  }),
);

/** The most ids that one statement asks about. It has a place for each, because its text must not vary. */
const mostIds = 100;

/** The condition that no row names the bytes of the blob of the row `wanted`. */
const isUnnamed = `
    NOT EXISTS (SELECT 1 FROM contents WHERE ${startOf('contents.blob_id')} = ${startOf('wanted.blob_id')}
      AND contents.blob_id = wanted.blob_id AND inline IS NULL)
    AND ${['content_blobs', ...blobRows.map(({ name }) => name)].map(lacks).join('\n    AND ')}`;

function lacks(name: string): string {
  return `NOT EXISTS (SELECT 1 FROM ${name} WHERE ${name}.blob_id = wanted.blob_id AND inline IS NULL)`;
}

/** Selects a blob unless a row names its bytes. */
export const blobIfUnnamed = `SELECT blob_id FROM (SELECT CAST(? AS TEXT) AS blob_id) AS wanted WHERE ${isUnnamed}`;

const unnamedBlobs = `WITH wanted (blob_id) AS (VALUES ${Array(mostIds).fill('(CAST(? AS TEXT))').join(', ')})
  SELECT blob_id FROM wanted WHERE blob_id <> '' AND ${isUnnamed}
    AND NOT EXISTS (SELECT 1 FROM reservations WHERE reservations.blob_id = wanted.blob_id)
    AND NOT EXISTS (SELECT 1 FROM marked_blobs WHERE marked_blobs.blob_id = wanted.blob_id)`;

const toDelete = `SELECT blob_id FROM marked_blobs
  WHERE NOT EXISTS (SELECT 1 FROM blob_holds WHERE expires_at > ?) LIMIT ?`;

/** Selects the blobs of a content whose bytes are in the store. */
export const storedBlobsOf = `
  SELECT blob_id FROM contents WHERE content_id = ?1 AND blob_id IS NOT NULL AND inline IS NULL
  UNION ALL SELECT blob_id FROM content_blobs WHERE content_id = ?1 AND inline IS NULL`;

/** The value of a column that a file of the row of contents has, perhaps one in the trash. NULL if none has one. */
export function ofFiles(column: string): string {
  const any = (of: string) => `(SELECT ${column} FROM ${of}
    WHERE ${of}.content_id = contents.content_id AND ${column} IS NOT NULL ORDER BY ${column} DESC LIMIT 1)`;
  return `coalesce(${fileTables.map(any).join(', ')})`;
}

/** Each part is read by its index. A blob may be in two, such as that of an upload that has just been completed. */
const namedBlobs = `(
    SELECT * FROM (
      SELECT blob_id, size_bytes, ${ofFiles('sha256')} AS sha256, CAST(NULL AS TEXT) AS md5 FROM contents
      WHERE inline IS NULL AND ${startOf('blob_id')} >= ${startOf('CAST(?1 AS TEXT)')} AND blob_id > ?1
      ORDER BY ${startOf('blob_id')}, blob_id LIMIT ?2) AS only_ones
    ${[{ name: 'content_blobs', md5: 'CAST(NULL AS TEXT)' }, ...blobRows].map(allOf).join('\n    ')}
  ) AS named`;

function allOf({ name, md5 }: BlobRows): string {
  return `UNION ALL
    SELECT * FROM (
      SELECT blob_id, size_bytes, CAST(NULL AS BYTEA), ${md5} FROM ${name}
      WHERE inline IS NULL AND blob_id > ?1 ORDER BY blob_id LIMIT ?2) AS of_${name}`;
}

const named = table(
  namedBlobs,
  record<NamedBlob>({ blobId: 'blob_id', sizeBytes: 'size_bytes', sha256: nullable(hex('sha256')), md5: 'md5' }),
);

/** Returns what all rows of a blob say together. */
function merged(found: readonly NamedBlob[]): NamedBlob[] {
  const byId = new Map<string, NamedBlob>();
  for (const blob of found) {
    const known = byId.get(blob.blobId);
    const [sha256, md5] = [known?.sha256 ?? blob.sha256, known?.md5 ?? blob.md5];
    byId.set(blob.blobId, { ...blob, sha256, md5 });
  }
  return [...byId.values()];
}

/** The blobs that files consist of. */
export function contentsTable(rows: Rows, context: Pick<TableContext, 'now' | 'onMarkedForDeletion'>): ContentsTable {
  return {
    async find(contentId) {
      const only = await rows.cached(onlyBlob, where('content_id'), contentId);
      if (only === undefined) return undefined;
      const found = only ? [only] : await rows.allCached(blobs, 'WHERE content_id = ? ORDER BY position', contentId);
      if (found.length === 0) return undefined;
      return { id: contentId, sizeBytes: found.reduce((sum, blob) => sum + blob.sizeBytes, 0), blobs: found };
    },
    async unnamed(blobIds) {
      if (blobIds.length > mostIds) throw new RangeError(`${blobIds.length} blobs are too many for one statement.`);
      const places = Array.from({ length: mostIds }, (_, index) => blobIds[index] ?? '');
      return rows.values<string>(unnamedBlobs, ...places);
    },
    async countMarked(limit) {
      const count = 'SELECT COUNT(*) FROM (SELECT 1 FROM marked_blobs LIMIT ?) AS marked';
      return (await rows.values<number>(count, limit))[0]!;
    },
    named: async (after, limit) => merged(await rows.all(named, 'ORDER BY blob_id', after, limit)).slice(0, limit),
    marked: async (after, limit) =>
      rows.values<string>('SELECT blob_id FROM marked_blobs WHERE blob_id > ? ORDER BY blob_id LIMIT ?', after, limit),
    blobsToDelete: async (limit) => rows.values<string>(toDelete, context.now, limit),
    async add({ id, sizeBytes, blobs, crc32 }) {
      const only = blobs.length === 1 ? blobs[0] : undefined;
      const { blobId = null, inline = null, checksum } = only ?? ({} as Partial<BlobReference>);
      const row = { contentId: id, sizeBytes, crc32, pointingRows: 1, blobId, inline };
      await rows.insert(newContents, checksum ? { ...row, checksum } : row);
      if (only) return;
      for (const [position, blob] of blobs.entries()) await rows.insert(newBlobs, { contentId: id, position, blob });
    },
    async share(contentId) {
      await rows.write('UPDATE contents SET pointing_rows = pointing_rows + 1 WHERE content_id = ?', contentId);
    },
    async release(contentId) {
      const unshare =
        'UPDATE contents SET pointing_rows = pointing_rows - 1 WHERE content_id = ? AND pointing_rows > 1';
      if ((await rows.run(unshare, contentId)) > 0) return;
      await markForDeletion(rows, context, storedBlobsOf, contentId);
      await rows.write('DELETE FROM contents WHERE content_id = ?', contentId);
    },
    async replaceInline(contentId, blobId, bytes) {
      const which = 'content_id = ? AND blob_id = ? AND inline IS NOT NULL';
      for (const name of ['contents', 'content_blobs'])
        await rows.write(`UPDATE ${name} SET inline = ? WHERE ${which}`, bytes, contentId, blobId);
    },
    async forgetDeleted(blobIds) {
      for (const blobId of blobIds) await rows.write('DELETE FROM marked_blobs WHERE blob_id = ?', blobId);
    },
  };
}
