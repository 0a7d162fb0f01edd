import { spaces, type ObjectAddress } from '#server/domain/object-id.ts';
import { successor } from '#server/domain/successor.ts';
import type { BundleFile, BundlesTable } from '../bundle-table.ts';
import { record, tuple } from '#server/stores/tables/columns.ts';
import { addressColumns } from '#server/stores/tables/address-columns.ts';
import { table, type Rows } from '#server/stores/tables/rows.ts';

type FileRow = readonly [
  space: number,
  key: string,
  contentId: string,
  sizeBytes: number,
  createdAt: number,
  expiresAt: number | null,
  originalName: string | null,
  crc32: number,
  number: number | null,
];

const fileColumns = [
  'objects.space',
  'objects.key',
  'objects.content_id',
  'objects.size_bytes',
  'objects.created_at',
  'objects.expires_at',
  'objects.original_name',
  'contents.crc32',
] as const;

const inFolder = table(
  'objects JOIN contents ON contents.content_id = objects.content_id',
  tuple<FileRow>(...fileColumns, 'NULL'),
);

/** A file that has another generation is another one. */
const listed = table(
  `share_files JOIN objects ON objects.account_id = share_files.account_id AND objects.space = share_files.space
     AND objects.key = share_files.key AND objects.generation = share_files.generation
   JOIN contents ON contents.content_id = objects.content_id`,
  tuple<FileRow>(...fileColumns, 'share_files.position + 1'),
);

const newFiles = table(
  'share_files',
  record<{ idHash: string; position: number; address: ObjectAddress; generation: string }>({
    idHash: 'share_id',
    position: 'position',
    address: addressColumns,
    generation: 'generation',
  }),
);

function fileOf(accountId: string, row: FileRow): BundleFile {
  const [space, key, contentId, sizeBytes, createdAt, expiresAt, originalName, crc32, number] = row;
  const address = { accountId, space: spaces[space]!, key };
  return { ...address, contentId, sizeBytes, createdAt, expiresAt, originalName, crc32, number };
}

/** The files of links that have several. */
export function bundlesTable(rows: Rows): BundlesTable {
  return {
    async filesOf(idHash) {
      const owner = 'SELECT account_id FROM shares WHERE share_id = ?';
      const accountId = await rows.value<string>(owner, idHash);
      if (accountId === undefined) return [];
      const found = await rows.all(listed, 'WHERE share_files.share_id = ? ORDER BY share_files.position', idHash);
      return found.map((row) => fileOf(accountId, row));
    },
    async filesIn({ accountId, space, folder, behind, limit }) {
      const found = await rows.all(
        inFolder,
        `WHERE objects.account_id = ? AND objects.space = ? AND objects.key > ? AND objects.key < ?
         ORDER BY objects.key LIMIT ?`,
        ...[accountId, spaces.indexOf(space), behind ?? folder, successor(folder)!, limit],
      );
      return found.map((row) => fileOf(accountId, row));
    },
    async add(idHash, files) {
      for (const [position, { generation, ...address }] of files.entries())
        await rows.insert(newFiles, { idHash, position, address, generation });
    },
  };
}
