import { coversKey, type Prefix } from '../prefixes.ts';
import { maxListedShares } from '../limits.ts';
import { nextTurn } from '#server/event-loop.ts';
import type { Clock } from '../ports/clock.ts';
import type { Reads } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { openShareId } from './share-id.ts';
import { endOf, type OwnedShare } from './share.ts';

interface Deps {
  readonly metadata: Reads<'shares'>;
  readonly secrets: Pick<Secrets, 'unseal'>;
  readonly clock: Clock;
}

/** The number of ids that are decrypted before other requests run, which takes some milliseconds. */
const idsAtOnce = 250;

/**
 * Returns the links of an account that are neither revoked nor expired and whose file exists, newest first. These are
 * all active ones, and the newest of those whose downloads are spent.
 *
 * @param prefixes only links to files below one of these. Null: all links
 */
export async function listShares(
  { metadata, secrets, clock }: Deps,
  accountId: string,
  prefixes: readonly Prefix[] | null,
): Promise<OwnedShare[]> {
  const all = await metadata.read.shares.listOf(accountId, clock.now(), maxListedShares);
  const shares = prefixes === null ? all : all.filter(({ object }) => coversKey(prefixes, object.key));
  const owned: OwnedShare[] = [];
  for (const [index, share] of shares.entries()) {
    if (index % idsAtOnce === idsAtOnce - 1) await nextTurn();
    const id = openShareId(secrets, share);
    if (id !== undefined) owned.push({ id, share, endsAt: endOf(share, { expiresAt: share.fileExpiresAt }) });
  }
  return owned;
}
