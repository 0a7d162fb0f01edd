import { parsing } from '#server/http/operation.ts';
import type { SharesHandlers } from '#generated/router.ts';
import type { CreatedShare, CreateShareData, NewShare, Share as WireShare, UpdateShareData } from '#generated/types.ts';
import { got } from '#server/domain/error-value.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import { parsePrefix } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { createShare, type ShareTarget } from '../create-share.ts';
import type { HashQueue } from '#server/domain/hash-queue.ts';
import { listShareFiles } from '../list-share-files.ts';
import { listShares } from '../list-shares.ts';
import { revokeShare } from '../revoke-share.ts';
import type { OwnedShare } from '../share.ts';
import { updateShare, type ShareChanges } from '../update-share.ts';
import type { Call } from '#server/handlers/call.ts';
import { reachOf, requesterOf } from '#server/handlers/requester.ts';
import type { CorePorts, Ports } from '#server/handlers/ports.ts';
import { lineOf, requireTypable } from '#server/handlers/typed-text.ts';
import { continuation, cursorOf, done, success, timestamp } from '#server/handlers/wire.ts';

type Deps = CorePorts & Pick<Ports, 'filesHost' | 'scrypt'> & { readonly hashing: HashQueue };

const warningFor = (file: string) =>
  `${file} is public: anyone with its public URL can fetch it without this link. ` +
  'Make it private, so that password, cap and expiry protect it.';

const publicWarning = warningFor('This file');

const publicBundleWarning = warningFor('A file of this link');

const defaultLifetimeSeconds = 86_400;

/**
 * Returns the address at which a share link is opened.
 *
 * @param filesHost address of the files host, without a trailing slash
 */
export function shareUrl(filesHost: string, shareId: string): string {
  return `${filesHost}/s/${shareId}`;
}

/** The operations of visitors. The others are for the owner. */
export type ForVisitors = 'openShare' | 'submitSharePassword';

/** Returns the handlers of share links, as their owner sees them. */
export function sharesHandlers(deps: Deps): Omit<SharesHandlers<Call>, ForVisitors> {
  const url = (id: string) => shareUrl(deps.filesHost, id);
  return {
    createShare: parsing(
      ({ body }, call) => shareCommand(body, call),
      async (share, call) => {
        const created = await createShare(deps, { ...share, ...requesterOf(call) });
        return { ...success(createdShareOf(created, url(created.id))), status: 201 };
      },
    ),

    async listShareFiles({ query }, call) {
      const { files, total, sizeBytes, next } = await listShareFiles(deps, {
        ...reachOf(call),
        shareId: query.id,
        limit: query.limit ?? 100,
        cursor: cursorOf(query),
      });
      const wire = files.map(({ objectId, path, sizeBytes: size, createdAt }) => ({
        ...{ object: objectId, name: path, size },
        created_at: timestamp(createdAt),
      }));
      return success({ files: wire, total, size: sizeBytes, ...continuation(next) });
    },

    async listShares({ query }, call) {
      const { rows: shares, next } = await listShares(deps, {
        ...reachOf(call),
        object: query.object === undefined ? undefined : call.references.object(query.object),
        prefix: query.prefix ?? '',
        limit: query.limit,
        cursor: cursorOf(query),
      });
      return success({ shares: shares.map((owned) => shareOf(owned, url(owned.id))), ...continuation(next) });
    },

    updateShare: parsing(
      ({ body }) => ({ shareId: body.id, changes: changesOf(body) }),
      async (requested, call) => {
        const changed = await updateShare(deps, { ...requested, ...requesterOf(call) });
        return success(shareOf(changed, url(changed.id)));
      },
    ),

    async deleteShare({ body }, call) {
      await revokeShare(deps, { shareId: body.id, ...requesterOf(call) });
      return done;
    },
  };
}

/**
 * Returns what the link leads to.
 *
 * @throws INVALID_BODY if it is said in several ways
 * @throws INVALID_OBJECT, INVALID_OBJECT_PREFIX
 */
function targetOf({ object, objects, prefix }: NewShare, references: Call['references']): ShareTarget {
  const given = [object, objects, prefix].filter((one) => one !== undefined).length;
  // A link had only `object` once, and its clients know this code.
  if (given === 0) throw new Refusal('INVALID_OBJECT', { detail: '`object`, `objects` and `prefix` are missing.' });
  if (given > 1)
    throw new Refusal('INVALID_BODY', {
      message: `Send one of \`object\`, \`objects\` and \`prefix\`. Got ${given} of them.`,
    });
  if (object !== undefined) return { kind: 'file', address: references.object(object) };
  if (objects) return { kind: 'files', addresses: objects.map((id) => references.object(id)) };
  const folder = parsePrefix(prefix!);
  if (folder === undefined) throw new Refusal('INVALID_OBJECT_PREFIX', { detail: got(prefix) });
  return { kind: 'folder', prefix: folder };
}

/**
 * @throws INVALID_OBJECT
 * @throws INVALID_PASSWORD for a password that a person cannot type
 */
function shareCommand(body: CreateShareData['body'], { references }: Pick<Call, 'references'>) {
  const { password } = body;
  const target = targetOf(body, references);
  requireTypable(password);
  return {
    target,
    lifetimeMs: (body.expires_in ?? defaultLifetimeSeconds) * 1000,
    maxDownloads: body.max_downloads ?? null,
    password,
    // The page of a bundle is what people expect of it.
    hasLanding: body.landing ?? target.kind !== 'file',
    texts: { title: textOf(body.title, 'INVALID_SHARE_TITLE'), message: textOf(body.message, 'INVALID_SHARE_MESSAGE') },
  };
}

/**
 * @throws INVALID_PASSWORD for a password that a person cannot type
 * @throws INVALID_SHARE_TITLE, INVALID_SHARE_MESSAGE
 */
function changesOf(body: UpdateShareData['body']): ShareChanges {
  const { expires_in: seconds, password, title, message } = body;
  requireTypable(password);
  return {
    lifetimeMs: seconds === undefined ? undefined : seconds * 1000,
    maxDownloads: body.max_downloads,
    password,
    hasLanding: body.landing,
    title: title === undefined ? undefined : textOf(title, 'INVALID_SHARE_TITLE'),
    message: message === undefined ? undefined : textOf(message, 'INVALID_SHARE_MESSAGE'),
  };
}

/** Blanks around a text are no part of it. */
function textOf(text: string | null | undefined, code: 'INVALID_SHARE_TITLE' | 'INVALID_SHARE_MESSAGE'): string | null {
  return text === undefined || text === null ? null : lineOf(text, code);
}

function createdShareOf(created: Awaited<ReturnType<typeof createShare>>, url: string): CreatedShare {
  const { share, isPublic } = created;
  return {
    ...commonOf(created, url),
    max_downloads: share.maxDownloads,
    object_is_public: isPublic,
    ...(isPublic && { message: share.bundle === null ? publicWarning : publicBundleWarning }),
  };
}

function shareOf(owned: OwnedShare, url: string): WireShare {
  const { share } = owned;
  return {
    ...commonOf(owned, url),
    ...(share.bundle === null && { original_name: owned.fileName }),
    max_downloads: share.maxDownloads,
    downloads: share.downloads,
    remaining_downloads: share.remainingDownloads,
    ...(share.title !== null && { title: share.title }),
    ...(share.message !== null && { message: share.message }),
    created_at: timestamp(share.createdAt),
  };
}

function commonOf({ id, share, endsAt }: OwnedShare, url: string) {
  return {
    id,
    url,
    object: formatObjectId(share.object),
    kind: share.bundle ?? ('file' as const),
    ...(share.fileCount !== null && { files: share.fileCount }),
    ...(share.bundle === 'folder' && { prefix: share.object.key.slice(0, -1) }),
    expires_at: timestamp(endsAt),
    password: share.passwordHash !== null,
    landing: share.hasLanding,
  };
}
