import type { Reads } from '../ports/metadata.ts';
import type { AuditEntry } from './audit-entry.ts';

interface Deps {
  readonly metadata: Reads<'audit'>;
}

/** Entries that are read in one step. Other requests run between steps. */
const stepEntries = 200;

/**
 * Yields the entries of the audit log in steps, oldest first.
 *
 * @param since leaves out entries before this instant
 */
export async function* readAudit({ metadata }: Deps, since?: number): AsyncGenerator<readonly AuditEntry[]> {
  for (let after = 0; ;) {
    const limit = stepEntries;
    const step = await metadata.read.audit.scan({ after, limit, ...(since !== undefined && { since }) });
    if (step.length > 0) yield step;
    if (step.length < limit) return;
    after = step.at(-1)!.sequence;
  }
}
