import type { AuditEntry, AuditPlace } from './audit-entry.ts';

/** One step through the log. */
interface AuditScan {
  /** Only entries with a higher sequence. */
  readonly after: number;
  /** Only entries of this instant or later. Left out for all. */
  readonly since?: number;
  readonly limit: number;
}

interface AuditReader {
  /** Returns entries in the order in which they were added. */
  scan(scan: AuditScan): Promise<AuditEntry[]>;
  /** Returns the place of the last entry, as it was noted when that was added. */
  head(): Promise<AuditPlace>;
}

/** Entries are only ever added. */
export interface AuditTable extends AuditReader {
  /** Returns the place of the last entry. Until the transaction ends, no other one adds entries. */
  lockHead(): Promise<AuditPlace>;
  /** Adds the entry behind the last one, and notes its place. */
  add(entry: AuditEntry): Promise<void>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly audit: AuditReader;
  }
  interface Tables {
    readonly audit: AuditTable;
  }
}
