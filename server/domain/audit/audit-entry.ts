/** The kinds of actions that the audit log records. */
const auditActions = [
  'account.created',
  'account.plan_changed',
  'account.quota_changed',
  'account.ai_budget_changed',
  'account.ai_limits_changed',
  'account.suspended',
  'account.resumed',
  'account.deleted',
  'account.restored',
  'account.removed',
  'key.created',
  'key.regenerated',
  'key.imported',
  'key.ai_limits_changed',
  'key.revoked',
  'app.created',
  'share.created',
  'share.updated',
  'share.revoked',
  'file_request.created',
  'file_request.updated',
  'file_request.deleted',
  'session.started',
  'job.run',
  'clock.confirmed',
  'backup.started',
  'scrub.started',
  'deploys.runner_started',
  'deploy.cancelled',
  'deploy.repeated',
  'edge_log.import_started',
  'legacy.imported',
  'store.repaired',
  'store.restored',
  'store.move_started',
  'store.move_cancelled',
  'database.migrated',
  'configuration.changed',
  'master_key.accepted',
  'master_key.rotated',
  'master_key.grace_ended',
  'key_encryption_key.rotated',
  'operator_key.created',
  'operator_key.revoked',
] as const;

export type AuditAction = (typeof auditActions)[number];

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
