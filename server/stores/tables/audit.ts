import type { AuditActor, AuditEntry, AuditPlace } from '#server/domain/audit/audit-entry.ts';
import type { AuditTable } from '#server/domain/audit/table.ts';
import { json, record, snakeCase } from './columns.ts';
import { table, type Rows } from './rows.ts';

const entries = table(
  'audit_log',
  record<AuditEntry>({
    ...snakeCase('sequence', 'at', 'action'),
    by: record<AuditActor>({ kind: 'actor', id: 'actor_id', address: 'address' }),
    accountId: 'account_id',
    subject: 'subject',
    details: json('details'),
    previousHash: 'previous_hash',
    hash: 'hash',
  }),
);

const heads = table('audit_head', record<AuditPlace>({ sequence: 'sequence', hash: 'hash' }));

/** The audit log of the installation. */
export function auditTable(rows: Rows): AuditTable {
  return {
    scan: async ({ after, since = Number.MIN_SAFE_INTEGER, limit }) =>
      rows.all(entries, 'WHERE sequence > ? AND at >= ? ORDER BY sequence LIMIT ?', after, since, limit),
    head: async () => (await rows.one(heads))!,
    // An UPDATE is the lock that both engines have.
    lockHead: async () => (await rows.change(heads, 'UPDATE audit_head SET sequence = sequence'))!,
    async add(entry) {
      await rows.insert(entries, entry);
      await rows.write('UPDATE audit_head SET sequence = ?, hash = ?', entry.sequence, entry.hash);
    },
  };
}
