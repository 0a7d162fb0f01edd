import type { Writes } from '../ports/metadata.ts';
import type { AuditActor } from './audit-entry.ts';
import { recordAudit } from './record-audit.ts';

/**
 * Records migrations of the database in the audit log, with the versions before and after them.
 *
 * @param applied their names in order, at least one. Each begins with the version that it leads to
 */
export async function recordMigration(
  { metadata }: { readonly metadata: Writes<'audit'> },
  { applied, by }: { readonly applied: readonly string[]; readonly by: AuditActor },
): Promise<void> {
  const details = { from: versionOf(applied[0]!) - 1, to: versionOf(applied.at(-1)!), applied };
  const record = { action: 'database.migrated', by, accountId: null, subject: null, details } as const;
  await metadata.atomically((tx) => recordAudit(tx, record));
}

/** Returns whether migrations made the tables of a new database, and did not change those of an older version. */
export function madeDatabase(applied: readonly string[]): boolean {
  return applied.length > 0 && versionOf(applied[0]!) === 1;
}

function versionOf(migration: string): number {
  return Number.parseInt(migration, 10);
}
