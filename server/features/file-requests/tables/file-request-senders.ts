import type { Sender, SentFile } from '../sender.ts';
import type { SendersTable } from '../table.ts';
import { json, record, snakeCase, type Fields } from '#server/stores/tables/columns.ts';
import { table, type Rows, where } from '#server/stores/tables/rows.ts';

const senderFields: Fields<Sender> = {
  requestId: 'request_id',
  hash: 'sender_hash',
  ...snakeCase('name', 'folder', 'createdAt'),
  refused: json('refused'),
};
const senders = table('file_request_senders', record<Sender>(senderFields));
const newSenders = table(
  'file_request_senders',
  record<Sender & { readonly folderKey: string | null }>({ ...senderFields, folderKey: 'folder_key' }),
);

const files = table(
  'file_request_files',
  record<SentFile>(snakeCase('requestId', 'senderHash', 'number', 'name', 'sizeBytes', 'sha256', 'receivedAt')),
);

/** The senders of file requests, and what these have sent. */
export function sendersTable(rows: Rows): SendersTable {
  return {
    findSender: async (requestId, hash) => rows.one(senders, where('request_id', 'sender_hash'), requestId, hash),
    async filesOf(requestId, hash, limit) {
      const newest = await rows.all(
        files,
        'WHERE request_id = ? AND sender_hash = ? ORDER BY number DESC LIMIT ?',
        ...[requestId, hash, limit],
      );
      return newest.toReversed();
    },
    hasFolder: async (requestId, folder) =>
      (await rows.value<number>(
        'SELECT 1 FROM file_request_senders WHERE request_id = ? AND folder_key = ?',
        requestId,
        keyOfFolder(folder),
      )) === 1,
    async addSender(sender) {
      await rows.insert(newSenders, { ...sender, folderKey: sender.folder && keyOfFolder(sender.folder) });
    },
    async nameSender({ requestId, hash, name, folder }) {
      await rows.write(
        'UPDATE file_request_senders SET name = ?, folder = ?, folder_key = ? WHERE request_id = ? AND sender_hash = ?',
        ...[name, folder, folder && keyOfFolder(folder), requestId, hash],
      );
    },
    async noteRefused(requestId, hash, refused) {
      await rows.write(
        'UPDATE file_request_senders SET refused = ? WHERE request_id = ? AND sender_hash = ?',
        ...[JSON.stringify(refused), requestId, hash],
      );
    },
    async addFile(file) {
      await rows.insert(files, file);
    },
  };
}

/** Systems that ignore the case of letters would put two such folders together. */
function keyOfFolder(folder: string): string {
  return folder.normalize('NFKC').toLowerCase();
}
