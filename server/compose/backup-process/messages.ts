import type { BackupPlace } from '#server/config/backup.ts';
import type { Config } from '#server/config/config.ts';
import type { BackupStep } from '#server/domain/backup/target.ts';

/** What the server tells the process of a backup. */
export type ToBackup =
  | { readonly type: 'take'; readonly config: Config; readonly place: BackupPlace }
  | { readonly type: 'stop' };

/** What the process of a backup tells the server. */
export type FromBackup =
  | { readonly type: 'step'; readonly step: BackupStep }
  | {
      readonly type: 'done';
      readonly generation: string;
      readonly sent: { readonly count: number; readonly bytes: number };
      readonly damaged: number;
    }
  /** A text for the operator. */
  | { readonly type: 'failed'; readonly text: string };
