import { mayPurgeKept } from '#server/domain/access/may-purge-kept.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { Reach } from '#server/domain/access/requester.ts';
import { QuotaExceeded } from '#server/domain/account/quota.ts';
import type { Actor } from '#server/domain/activity/activity.ts';
import { together } from '#server/domain/in-sets.ts';
import { inSteps } from '#server/domain/in-steps.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Metadata, Readers, Transaction } from '#server/domain/ports/metadata.ts';
import { coversKey } from '#server/domain/prefixes.ts';
import { purgeVersion } from './purge-version.ts';
import type { YieldingVersion } from './trash-table.ts';

/** The tables that are written when versions give way. */
export type GivingWay = 'accounts' | 'activity' | 'contents' | 'events' | 'trash';

/** Somebody for whose bytes the oldest of what only requests keep in the trash gives way, as far as the key reaches. */
export interface Yielding extends Reach {
  readonly clock: Clock;
  readonly actor: Actor;
}

/** Purges what has to give way, in the transaction that then writes the bytes. */
export type MakeSpace = (tx: Transaction<GivingWay>) => Promise<void>;

/** Versions that give way in one transaction: few enough for other requests. */
const mostAtOnce = 50;

/** Versions that are read in one step to find out whether they are enough. */
const countedAtOnce = 500;

/** How often a write is tried. Only what others write at the same moment makes a third try useful. */
const mostTries = 4;

/** Returns undefined for a caller for whom nothing gives way. */
export function yieldingTo({ clock }: Pick<Yielding, 'clock'>, caller: Caller, actor: Actor): Yielding | undefined {
  if (!mayPurgeKept(caller)) return undefined;
  return { accountId: caller.account.id, prefixes: caller.key.prefixes, clock, actor };
}

/**
 * Writes bytes that count against the quota. If they do not fit, the oldest versions that only requests keep give
 * way. They are purged in the transaction of the write, so they stay if it fails, and nobody else gets their place.
 * Nothing is purged if all of them together have fewer bytes than are missing. Only if more than {@link mostAtOnce}
 * have to give way are the first of them purged before.
 *
 * @param write calls `makeSpace` in its transaction, before it writes the bytes. It may be called several times
 * @throws STORAGE_QUOTA_EXCEEDED, and what `write` throws
 */
export async function withSpace<T>(
  { metadata }: { readonly metadata: Metadata<GivingWay> },
  yielding: Yielding | undefined,
  write: (makeSpace: MakeSpace) => Promise<T>,
): Promise<T> {
  let wantedBytes = 0;
  let madeBytes = 0;
  let refusal: QuotaExceeded | undefined;
  const makeSpace: MakeSpace = async (tx) => {
    madeBytes = 0;
    const account = yielding && refusal && (await tx.accounts.find(yielding.accountId));
    if (!account) return;
    // Another write may have made space meanwhile.
    const missingBytes = Math.min(wantedBytes, refusal!.missingOf(account));
    if (missingBytes <= 0) return;
    await giveWay(tx, yielding, missingBytes, refusal!);
    madeBytes = missingBytes;
  };
  for (let tries = 1; ; tries++) {
    try {
      return await write(makeSpace);
    } catch (error) {
      const isOver = !(error instanceof QuotaExceeded) || error === refusal || error.missingBytes <= 0;
      if (!yielding || isOver || tries === mostTries) throw error;
      // What the last try purged has come back.
      wantedBytes = madeBytes + error.missingBytes;
      wantedBytes -= await purgeFirst(metadata, yielding, wantedBytes);
      refusal = error;
    }
  }
}

/** Whether enough could give way for bytes that are missing. */
export async function couldGiveWay(
  read: Pick<Readers, 'trash'>,
  yielding: Yielding,
  missingBytes: number,
): Promise<boolean> {
  return (await countYielding(read, yielding, missingBytes)) !== undefined;
}

/** Returns how many bytes could give way. No more are counted once they are `mostBytes`. */
export async function yieldingBytes(
  read: Pick<Readers, 'trash'>,
  yielding: Yielding,
  mostBytes: number,
): Promise<number> {
  let bytes = 0;
  for await (const { sizeBytes } of eachYielding(read, yielding, yielding.clock.now(), countedAtOnce)) {
    bytes += sizeBytes;
    if (bytes >= mostBytes) break;
  }
  return bytes;
}

/** Purges the oldest versions that have as many bytes together. @throws `refusal` if they are not enough */
async function giveWay(
  tx: Transaction<GivingWay>,
  yielding: Yielding,
  missingBytes: number,
  refusal: QuotaExceeded,
): Promise<void> {
  const versions: YieldingVersion[] = [];
  let freedBytes = 0;
  for await (const version of eachYielding(tx, yielding, tx.now)) {
    versions.push(version);
    freedBytes += version.sizeBytes;
    if (freedBytes >= missingBytes || versions.length === mostAtOnce) break;
  }
  if (freedBytes < missingBytes) throw refusal;
  await together(versions, (version) => purgeVersion(tx, version, yielding.actor));
}

/**
 * Purges the first of the versions that have to give way, if they are too many for the transaction of a write. Returns
 * their bytes.
 */
async function purgeFirst(metadata: Metadata<GivingWay>, yielding: Yielding, missingBytes: number): Promise<number> {
  const count = (await countYielding(metadata.read, yielding, missingBytes)) ?? 0;
  let freedBytes = 0;
  for (let left = count; left > mostAtOnce; left -= mostAtOnce) {
    const purge = async (tx: Transaction<GivingWay>): Promise<number> => {
      const versions: YieldingVersion[] = [];
      for await (const version of eachYielding(tx, yielding, tx.now)) if (versions.push(version) === mostAtOnce) break;
      await together(versions, (version) => purgeVersion(tx, version, yielding.actor));
      return versions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    };
    freedBytes += await metadata.atomically(purge, { account: yielding.accountId });
  }
  return freedBytes;
}

/** Returns how many of the oldest versions have as many bytes. Undefined if all of them have fewer. */
async function countYielding(
  read: Pick<Readers, 'trash'>,
  yielding: Yielding,
  missingBytes: number,
): Promise<number | undefined> {
  let [count, freedBytes] = [0, 0];
  for await (const version of eachYielding(read, yielding, yielding.clock.now(), countedAtOnce)) {
    count += 1;
    freedBytes += version.sizeBytes;
    if (freedBytes >= missingBytes) return count;
  }
  return undefined;
}

/** Yields what only requests keep, the oldest first. */
async function* eachYielding(
  { trash }: Pick<Readers, 'trash'>,
  { accountId, prefixes }: Reach,
  now: number,
  stepSize = mostAtOnce,
): AsyncGenerator<YieldingVersion> {
  const steps = inSteps<YieldingVersion>(stepSize, (behind, limit) =>
    trash.yielding({ accountId, now, behind, limit }),
  );
  for await (const step of steps)
    for (const version of step) if (prefixes === null || coversKey(prefixes, version.key)) yield version;
}
