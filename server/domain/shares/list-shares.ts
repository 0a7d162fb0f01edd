import { coversKey } from '../access/prefixes.ts';
import { maxListedShares } from '../limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Share } from './share.ts';

interface Deps {
  readonly metadata: Pick<Metadata, 'read'>;
  readonly clock: Clock;
}

/**
 * The links of an account that are neither revoked nor expired and whose file is there, newest first: every active one, and
 * the newest of those whose downloads are spent.
 *
 * @param prefixes only links to files below one of these; all when null
 */
export async function listShares({ metadata, clock }: Deps, accountId: string, prefixes: readonly string[] | null): Promise<Share[]> {
  const shares = await metadata.read.shares.listOf(accountId, clock.now(), maxListedShares);
  return prefixes === null ? shares : shares.filter(({ object }) => coversKey(prefixes, object.key));
}
