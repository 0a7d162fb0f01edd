import type { AuditActor } from '../audit/audit-entry.ts';
import type { GenerationList } from '../backup/list-generations.ts';
import type { TargetStatus } from './upkeep.ts';

/** Backups to the target of the configuration, by the server itself. */
export interface OperatorBackups {
  /** @throws BACKUP_TARGET_MISSING, BACKUP_TARGET_UNUSABLE */
  list(): Promise<GenerationList>;
  /**
   * Starts a backup, and resolves once it has begun. Its end is in the store, and in the log.
   *
   * @throws BACKUP_TARGET_MISSING, BACKUP_RUNNING
   */
  start(by: AuditActor): Promise<TargetStatus>;
}
