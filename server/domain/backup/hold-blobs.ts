import type { Ids } from '../ports/ids.ts';
import type { Writes } from '../ports/metadata.ts';
import { BackupRefused } from './target.ts';

interface Deps {
  readonly metadata: Writes<'backups'>;
  readonly ids: Pick<Ids, 'opaqueId'>;
}

/** A killed backup delays the removal of bytes by this time. */
const lifetimeMs = 120_000;
const renewEveryMs = 30_000;

/** Keeps the bytes of files that are deleted meanwhile. */
interface BlobHold {
  /** @throws {BackupRefused} if the hold has expired meanwhile, so bytes may be gone */
  requireOpen(): Promise<void>;
  end(): Promise<void>;
}

/** Begins a hold, which is renewed until it ends. */
export async function holdBlobs({ metadata, ids }: Deps): Promise<BlobHold> {
  const holdId = ids.opaqueId();
  await metadata.atomically((tx) => tx.backups.hold(holdId, tx.now + lifetimeMs));
  const renew = () =>
    metadata.atomically(async (tx) => {
      // An expired hold stays so, because bytes may have been removed since.
      if (await tx.backups.isHoldOpen(holdId)) await tx.backups.hold(holdId, tx.now + lifetimeMs);
    });
  // A failed renewal is tried again with the next one, and `requireOpen()` decides.
  const timer = setInterval(() => void renew().catch(() => {}), renewEveryMs);
  timer.unref();
  return {
    async requireOpen() {
      if (await metadata.atomically((tx) => tx.backups.isHoldOpen(holdId))) return;
      throw new BackupRefused(
        'The backup was stopped for more than two minutes, so files that were deleted meanwhile may be missing ' +
          'in it. Run it again: what was copied is kept.',
      );
    },
    async end() {
      clearInterval(timer);
      // A hold that cannot be ended now expires by itself.
      await metadata.atomically((tx) => tx.backups.endHold(holdId)).catch(() => {});
    },
  };
}
