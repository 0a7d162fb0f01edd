import type { AuditRecord } from '#server/domain/audit/audit-entry.ts';
import { recordAudit } from '#server/domain/audit/record-audit.ts';
import { Connections } from './connection.ts';
import { SqliteMetadata } from './metadata.ts';

/**
 * Adds an entry to the audit log of a database file that nobody uses. Needs no master key. A database of a version
 * before the audit log stays as it is.
 */
export async function recordInFile(path: string, record: AuditRecord): Promise<void> {
  const connections = new Connections(path, { sync: true });
  try {
    const hasLog = connections.reader
      .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'audit_log'")
      .get();
    if (!hasLog) return;
    const metadata = new SqliteMetadata(connections, {
      now: Date.now,
      onFault: () => {},
      onMarkedForDeletion: () => {},
      cacheBytes: 0,
    });
    try {
      await metadata.atomically((tx) => recordAudit(tx, record));
    } finally {
      await metadata.close();
    }
  } finally {
    connections.close();
  }
}
