import type { BlobStore } from '../ports/blobs.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { BlobIndex } from './blob-index.ts';
import type { DatabaseCopies } from './database-copies.ts';
import type { BackupTarget } from './target.ts';

/** What a backup needs: the store, the target, and an index of what the target has. */
export interface BackupDeps {
  readonly metadata: Metadata<'backups' | 'contents' | 'masterKeys'>;
  readonly blobs: Pick<BlobStore, 'open'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
  readonly clock: Clock;
  /** Undefined where the operator's own tools copy the database. */
  readonly copies: DatabaseCopies | undefined;
  readonly target: BackupTarget;
  readonly index: BlobIndex;
}
