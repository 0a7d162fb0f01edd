import { lastingS3Seed } from '../access/s3-key-pair.ts';
import type { Metadata } from '../ports/metadata.ts';
import type { Secrets } from '../ports/secrets.ts';
import { resealRows } from './reseal-rows.ts';
import { isLeaked, type MasterKeyRotation } from './rotation.ts';

interface ResealDeps {
  readonly metadata: Metadata;
  readonly secrets: Secrets;
  readonly signal?: AbortSignal;
}

/**
 * Stores the rows of a feature under the current master key, as far as the server can read them without a client.
 * Returns how many it changed. A pass that is cut off, or runs twice, does no harm. Requests go on meanwhile, with rows
 * in either form.
 */
export type Reseal = (deps: ResealDeps) => Promise<number>;

/** Stores everything under the current master key: the rows of features, and the secrets of S3 key pairs. */
export async function reseal(
  { reseals, ...deps }: ResealDeps & { readonly reseals: readonly Reseal[] },
  rotation: MasterKeyRotation,
): Promise<number> {
  let count = 0;
  for (const one of reseals) count += await one(deps);
  return count + (await resealKeyPairs(deps, isLeaked(rotation)));
}

function resealKeyPairs({ metadata, secrets, ...deps }: ResealDeps, isFormerLeaked: boolean): Promise<number> {
  return resealRows(
    { metadata, ...deps },
    {
      page: (after, limit) => metadata.read.apiKeys.withS3After(after, limit),
      idOf: ({ id }) => id,
      change: (key) => {
        const seed = lastingS3Seed(secrets, key, isFormerLeaked);
        return seed && ((tx) => tx.apiKeys.replaceS3Seed(key, seed));
      },
    },
  );
}
