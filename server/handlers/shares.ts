import { parsing, type SharesHandlers } from '#generated/router.ts';
import type { CreatedShare, CreateShareData, Share as WireShare } from '#generated/types.ts';
import { formatObjectId, parseObjectId } from '#server/domain/object-id.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { createShare } from '#server/domain/shares/create-share.ts';
import type { HashQueue } from '#server/domain/shares/hash-queue.ts';
import { listShares } from '#server/domain/shares/list-shares.ts';
import { revokeShare } from '#server/domain/shares/revoke-share.ts';
import type { OwnedShare } from '#server/domain/shares/share.ts';
import { actorOf } from './actor.ts';
import type { Call } from './call.ts';
import { shareUrl } from './share-url.ts';
import { done, success, timestamp } from './wire.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly hashing: HashQueue;
  readonly scrypt: Scrypt;
  /** Address of the files host, without a trailing slash. */
  readonly filesHost: string;
}

const publicWarning =
  'This file is public: whoever has its public URL fetches it without this link. Make it private for password, cap and expiry to protect it.';

const defaultLifetimeSeconds = 86_400;

/** Wire ⇄ domain for share links, as their owner sees them. */
export function sharesHandlers(deps: Deps): SharesHandlers<Call> {
  const url = (id: string) => shareUrl(deps.filesHost, id);
  return {
    createShare: parsing(
      ({ body }, { caller }) => shareAsked(body, caller.account.id),
      async (share, call) => {
        const created = await createShare(deps, { ...share, account: call.caller.account, actor: actorOf(call) });
        return { status: 201, body: { status: 'success', response: createdShareOf(created, url(created.id)) } };
      },
    ),

    async listShares(_input, { caller: { account, key } }) {
      const shares = await listShares(deps, account.id, key.prefixes);
      return success({ shares: shares.map((owned) => shareOf(owned, url(owned.id))) });
    },

    async deleteShare({ body }, call) {
      const { account, key } = call.caller;
      await revokeShare(deps, {
        accountId: account.id,
        shareId: body.id,
        prefixes: key.prefixes,
        actor: actorOf(call),
      });
      return done;
    },
  };
}

/** @throws INVALID_OBJECT; INVALID_PASSWORD for one that a person cannot type */
function shareAsked(body: CreateShareData['body'], accountId: string) {
  const { password } = body;
  const address = parseObjectId(body.object, accountId);
  if (password !== undefined && (!password.isWellFormed() || /\p{Cc}/u.test(password)))
    throw new Refusal('INVALID_PASSWORD');
  return {
    address,
    lifetimeMs: (body.expires_in ?? defaultLifetimeSeconds) * 1000,
    maxDownloads: body.max_downloads ?? null,
    password,
    hasLanding: body.landing ?? false,
  };
}

function createdShareOf(created: OwnedShare, url: string): CreatedShare {
  const { share } = created;
  const isPublic = share.object.space !== 'private';
  return {
    ...commonOf(created, url),
    max_downloads: share.maxDownloads,
    object_is_public: isPublic,
    ...(isPublic && { message: publicWarning }),
  };
}

function shareOf(owned: OwnedShare, url: string): WireShare {
  const { share } = owned;
  return {
    ...commonOf(owned, url),
    remaining_downloads: share.remainingDownloads,
    created_at: timestamp(share.createdAt),
  };
}

function commonOf(
  { id, share, endsAt }: OwnedShare,
  url: string,
): Pick<WireShare, 'id' | 'url' | 'object' | 'expires_at' | 'password' | 'landing'> {
  return {
    id,
    url,
    object: formatObjectId(share.object),
    expires_at: timestamp(endsAt),
    password: share.passwordHash !== null,
    landing: share.hasLanding,
  };
}
