import type { AuditAction } from '#generated/vocabulary.ts';

export type { AuditAction };

/** Who did something, as the audit log shows it. */
export interface AuditActor {
  readonly kind: 'operator_key' | 'command_line' | 'api_key' | 'server';
  /** The id of the key, or the system user of the command line. Null for the server itself. */
  readonly id: string | null;
  /** The client's address; null without one. */
  readonly address: string | null;
}

/** The server itself: a job, or the first start. */
export const serverActor: AuditActor = { kind: 'server', id: null, address: null };

/** What happened. */
export interface AuditRecord {
  readonly action: AuditAction;
  readonly by: AuditActor;
  /** The account that it is about; null for the installation. */
  readonly accountId: string | null;
  /** The id of the key, application, job or file that it is about; null without one. Never a secret. */
  readonly subject: string | null;
  /** Further facts, with the names that clients see. Never a secret. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The place of an entry in the chain. */
export interface AuditPlace {
  /** 1 for the first entry, and one more for each further one. 0 stands for an empty log. */
  readonly sequence: number;
  /** @see chain.ts */
  readonly hash: string;
}

/** An entry as it is stored. */
export interface AuditEntry extends AuditRecord, AuditPlace {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The hash of the entry before it. */
  readonly previousHash: string;
}
