import type { FileRequest } from '../file-request.ts';
import type { FileRequestFilter, FileRequestsTable } from '../table.ts';
import type { Prefix } from '#server/domain/prefixes.ts';
import { column, type Fields, flag, json, record, snakeCase } from '#server/stores/tables/columns.ts';
import { table, type Rows, type SqlValue, type TableContext } from '#server/stores/tables/rows.ts';
import { reservedSpaceTable } from './file-request-reservations.ts';
import { announcedUploadsTable } from './file-request-uploads.ts';
import { sendersTable } from './file-request-senders.ts';

const fields: Fields<FileRequest> = {
  id: 'request_id',
  ...snakeCase('linkHash', 'sealedLink', 'accountId'),
  prefix: column<Prefix>('prefix'),
  ...snakeCase('title', 'note', 'createdAt', 'deadlineAt', 'graceMs', 'maxFiles', 'maxBytes', 'maxFileBytes'),
  allowedExtensions: json('allowed_extensions'),
  passwordHash: 'password_hash',
  hasSenderFolders: flag('sender_folders'),
  ...snakeCase('closedAt', 'deletedAt', 'files', 'bytes', 'senders'),
};

const requests = table('file_requests', record<FileRequest>(fields));
const links = table(
  'file_requests',
  record<Pick<FileRequest, 'id' | 'sealedLink'>>({ id: 'request_id', sealedLink: 'sealed_link' }),
);

const isThere = 'deleted_at IS NULL';

/** The conditions of the states. Parameter of the last two: now. */
const ofState = {
  closed: 'closed_at IS NOT NULL',
  expired: 'closed_at IS NULL AND deadline_at <= ?',
  open: 'closed_at IS NULL AND (deadline_at IS NULL OR deadline_at > ?)',
} as const;

/** File requests, their senders, and what these have sent. */
export function fileRequestsTable(rows: Rows, context: Pick<TableContext, 'owner'>): FileRequestsTable {
  return {
    ...requestReads(rows),
    ...sendersTable(rows),
    ...announcedUploadsTable(rows),
    ...reservedSpaceTable(rows, context),
    async add(request) {
      await rows.insert(requests, request);
    },
    countOf: async (accountId) =>
      (await rows.value<number>(`SELECT count(*) FROM file_requests WHERE account_id = ? AND ${isThere}`, accountId))!,
    async change(request) {
      await rows.write(
        `UPDATE file_requests SET title = ?, note = ?, deadline_at = ?, grace_ms = ?, max_files = ?, max_bytes = ?,
           max_file_bytes = ?, allowed_extensions = ?, password_hash = ?, sender_folders = ?, closed_at = ?
         WHERE request_id = ?`,
        ...[request.title, request.note, request.deadlineAt, request.graceMs, request.maxFiles, request.maxBytes],
        ...[request.maxFileBytes, JSON.stringify(request.allowedExtensions), request.passwordHash],
        ...[Number(request.hasSenderFolders), request.closedAt, request.id],
      );
    },
    async renewLink(requestId, { linkHash, sealedLink }) {
      await rows.write(
        'UPDATE file_requests SET link_hash = ?, sealed_link = ? WHERE request_id = ?',
        ...[linkHash, sealedLink, requestId],
      );
    },
    async noteEnd(requestId, isTold) {
      const note = 'UPDATE file_requests SET is_end_told = ?1 WHERE request_id = ?2 AND is_end_told <> ?1';
      return (await rows.run(note, Number(isTold), requestId)) === 1;
    },
    async delete(requestId, now) {
      await rows.write('UPDATE file_requests SET deleted_at = ? WHERE request_id = ?', now, requestId);
    },
    async count(requestId, added) {
      await rows.write(
        'UPDATE file_requests SET files = files + 1, bytes = bytes + ?, senders = senders + ? WHERE request_id = ?',
        ...[added.bytes, added.senders, requestId],
      );
    },
    async forgetDeleted(limit) {
      const deleted = 'request_id IN (SELECT request_id FROM file_requests WHERE deleted_at IS NOT NULL)';
      let removed = await rows.removeSome('file_request_files', 'request_id, sender_hash, number', deleted, limit);
      removed += await rows.removeSome('file_request_senders', 'request_id, sender_hash', deleted, limit - removed);
      // A request goes once nothing refers to it any more.
      const isBare = `deleted_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM file_request_senders AS sender WHERE sender.request_id = file_requests.request_id)`;
      return removed + (await rows.removeSome('file_requests', 'request_id', isBare, limit - removed));
    },
  };
}

function requestReads(rows: Rows) {
  return {
    find: async (requestId) => rows.one(requests, `WHERE request_id = ? AND ${isThere}`, requestId),
    findByLink: async (hash) => rows.one(requests, `WHERE link_hash = ? AND ${isThere}`, hash),
    async listOf(filter, now, limit) {
      const [which, values] = conditionOf(filter, now);
      return rows.all(
        requests,
        `WHERE ${which} ORDER BY created_at DESC, request_id DESC LIMIT ?`,
        ...[...values, limit],
      );
    },
    listAfter: async (requestId, limit) =>
      rows.all(links, 'WHERE request_id > ? ORDER BY request_id LIMIT ?', requestId, limit),
    expired: async (now, limit) =>
      rows.all(
        requests,
        `WHERE deadline_at IS NOT NULL AND is_end_told = 0 AND deadline_at <= ? AND closed_at IS NULL AND ${isThere}
         ORDER BY deadline_at LIMIT ?`,
        ...[now, limit],
      ),
  } satisfies Partial<FileRequestsTable>;
}

/** Returns the condition of a list, and its values. */
function conditionOf(filter: FileRequestFilter, now: number): [which: string, values: SqlValue[]] {
  const { accountId, id, state, prefix, within, behind } = filter;
  const conditions: Array<readonly [text: string, ...values: SqlValue[]]> = [
    [`account_id = ? AND ${isThere}`, accountId],
    ...(id === undefined ? [] : [['request_id = ?', id] as const]),
    ...(state === undefined ? [] : [[ofState[state], ...(state === 'closed' ? [] : [now])] as const]),
    ...(prefix === '' ? [] : [['substr(prefix, 1, CAST(? AS INTEGER)) = ?', prefix.length, prefix] as const]),
    ...(behind ? [['(created_at, request_id) < (?, ?)', behind.createdAt, behind.id] as const] : []),
    ...(within ? [withinAny(within)] : []),
  ];
  return [conditions.map(([text]) => `(${text})`).join(' AND '), conditions.flatMap(([, ...values]) => values)];
}

function withinAny(within: readonly Prefix[]): readonly [string, ...SqlValue[]] {
  const one = '(prefix = ? OR substr(prefix, 1, CAST(? AS INTEGER)) = ?)';
  const text = within.length === 0 ? 'FALSE' : within.map(() => one).join(' OR ');
  return [text, ...within.flatMap((prefix) => [prefix, prefix.length + 1, `${prefix}/`])];
}
