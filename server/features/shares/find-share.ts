import type { StoredObject } from '#server/features/files/object.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { findShareById } from './share-id.ts';
import { fileOf, stateOf, type Share, type ShareState } from './share.ts';

interface Deps {
  readonly metadata: Reads<'accounts' | 'objects' | 'shares'>;
  readonly secrets: Pick<Secrets, 'finders'>;
  readonly clock: Clock;
}

/** A link, its state, and the file at its address. */
interface FoundShare {
  readonly share: Share;
  readonly state: ShareState;
  readonly object: StoredObject | undefined;
}

/** Finds a link as visitors see it. Returns undefined when it is unknown or revoked, its file is gone, or an
 * operator has stopped the account. */
export async function findShare({ metadata, secrets, clock }: Deps, shareId: string): Promise<FoundShare | undefined> {
  const share = await findShareById(metadata.read, secrets, shareId);
  if (!share) return undefined;
  const object = await fileOf(metadata.read.objects, share);
  const state = stateOf(share, object, clock.now());
  if (state === 'revoked' || state === 'gone') return undefined;
  return (await metadata.read.accounts.isClosed(share.object.accountId)) ? undefined : { share, state, object };
}

/** Returns the account of a link, for its rate limits, or undefined when {@link findShare} finds no link. */
export async function shareOwner(deps: Deps, shareId: string): Promise<string | undefined> {
  return (await findShare(deps, shareId))?.share.object.accountId;
}
