import { parsing, type ObjectsHandlers } from '#generated/router.ts';
import type { CopyObjectData } from '#generated/types.ts';
import { coversPrefix } from '#server/domain/prefixes.ts';
import { createDownloadLink } from '#server/domain/links/create-download-link.ts';
import { readDestination } from '#server/domain/objects/copy-destination.ts';
import { copyObject } from '#server/domain/objects/copy-object.ts';
import { deleteObject, deleteObjects } from '#server/domain/objects/delete-objects.ts';
import { formatObjectId, parseObjectId } from '#server/domain/object-id.ts';
import { listObjects } from '#server/domain/objects/list-objects.ts';
import type { ListPages } from '#server/domain/objects/list-pages.ts';
import { objectInfo } from '#server/domain/objects/object-info.ts';
import type { StoredObject } from '#server/domain/objects/object.ts';
import { isAtPublicUrl, publicUrl } from '#server/domain/objects/public-url.ts';
import { servingOf } from '#server/domain/objects/served-headers.ts';
import { updateObjects } from '#server/domain/objects/update-objects.ts';
import { checkUpload, uploadObject } from '#server/domain/objects/upload-object.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Cdn } from '#server/domain/ports/cdn.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { cleanFilename } from '#server/http/content-disposition.ts';
import { actorOf } from './actor.ts';
import type { Call } from './call.ts';
import { entryOf, infoOf, updateResultOf } from './object-answers.ts';
import { uploadOptions } from './upload-options.ts';
import { cursorOf, done, durationText, success, timestamp, withoutTrailingSlash } from './wire.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly blobs: BlobStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly cdn: Cdn;
  readonly pages: ListPages;
  /** Addresses of the public and the files host, without a trailing slash. */
  readonly publicHost: string;
  readonly filesHost: string;
  /** Told of each file that was stored. */
  noteStored(sizeBytes: number): void;
}

/** Wire ⇄ domain for files. */
export function objectsHandlers(deps: Deps): ObjectsHandlers<Call> {
  const url = (object: StoredObject) => publicUrl(deps.publicHost, object);
  /** Null also where that URL is another file's: it would lead to the wrong bytes. */
  const ownUrl = async (object: StoredObject) => ((await isAtPublicUrl(deps, object)) ? url(object) : null);
  return {
    uploadObject: parsing(
      ({ query }, { file, caller }) => ({
        fields: checkUpload(uploadOptions(query), file, caller.token),
        checksumSha256: query.checksum_sha256,
      }),
      async (upload, call) => {
        const { caller, file, signal } = call;
        const command = { ...upload, caller, file, signal, actor: actorOf(call) };
        const { object, isReplaced, name, prefix } = await uploadObject(deps, command);
        deps.noteStored(object.sizeBytes);
        return success({
          id: formatObjectId(object),
          name,
          ...(prefix && { prefix }),
          size: object.sizeBytes,
          url: url(object),
          private: object.space === 'private',
          sha256: object.sha256!,
          replaced: isReplaced,
          ...(object.expiresAt !== null && { expires_at: timestamp(object.expiresAt) }),
        });
      },
    ),

    async listObjects({ query }, { caller }) {
      const page = await listObjects(deps, {
        accountId: caller.account.id,
        prefix: withinKey(caller.key.prefixes, query.prefix ?? ''),
        isPrivate: query.private,
        delimiter: query.delimiter !== undefined,
        limit: query.limit ?? 1000,
        cursor: cursorOf(query),
      });
      return success({
        objects: await Promise.all(page.objects.map(async (object) => entryOf(object, await ownUrl(object)))),
        ...(query.delimiter !== undefined && { folders: [...page.folders] }),
        ...(page.next !== undefined && { continuationToken: page.next }),
      });
    },

    async deleteObjects({ body }, call) {
      const { addresses } = namedObjects(body, call);
      if (addresses.length === 1) {
        await deleteObject(deps, addresses[0]!, actorOf(call));
        return done;
      }
      const { deleted, notFound, failed } = await deleteObjects(deps, addresses, actorOf(call));
      return success({
        deleted: [...deleted],
        not_found: [...notFound],
        failed: failed.map((id) => ({ id, code: 'DELETE_FAILED' as const })),
      });
    },

    async getObjectInfo({ query }, { caller }) {
      const object = await objectInfo(deps, parseObjectId(query.object, caller.account.id));
      return success(infoOf(object, await ownUrl(object)));
    },

    async updateObjects({ body }, call) {
      const { ids, addresses } = namedObjects(body, call);
      const changes = {
        isPrivate: body.private,
        expire: durationText(body.expire),
        cacheControl: body.cache_control,
        disposition: body.disposition,
        metadata: body.metadata,
      };
      const command = { account: call.caller.account, addresses, changes, actor: actorOf(call) };
      const outcomes = await updateObjects({ ...deps, publicUrl: url }, command);
      return success({ results: outcomes.map((outcome, index) => updateResultOf(ids[index]!, outcome, url)) });
    },

    copyObject: parsing(
      ({ body }, { caller }) => copyOf(body, caller.account.id),
      async (copy, call) => {
        const command = { ...copy, account: call.caller.account, actor: actorOf(call) };
        const { object, isReplaced } = await copyObject({ ...deps, publicUrl: url }, command);
        return success({
          id: formatObjectId(object),
          private: object.space === 'private',
          url: url(object),
          ...(object.expiresAt !== null && { expires_at: timestamp(object.expiresAt) }),
          size: object.sizeBytes,
          source: formatObjectId(copy.source),
          moved: copy.move,
          replaced: isReplaced,
        });
      },
    ),

    async getDownloadLink({ query }, { caller }) {
      const filename = query.filename === undefined ? undefined : cleanFilename(query.filename);
      if (filename === '') throw new Refusal('INVALID_FILENAME');
      const { object, link } = await createDownloadLink(deps, {
        address: parseObjectId(query.object, caller.account.id),
        lifetimeMs: (query.expires ?? 3600) * 1000,
        disposition: query.disposition,
        filename,
      });
      const address = link ? `${deps.filesHost}/d/${link.token}` : url(object)!;
      if (query.redirect ?? true) return { status: 302, headers: { Location: address, 'Cache-Control': 'no-store' } };
      return success({
        url: address,
        expires_at: link ? timestamp(link.expiresAt) : null,
        private: object.space === 'private',
        size: object.sizeBytes,
        content_type: servingOf(object).contentType,
      });
    },
  };
}

/** For a key that is restricted to `photos`, the filter `photos` means the folder and not `photos-2025/` beside it. */
function withinKey(prefixes: readonly string[] | null, filter: string): string {
  return prefixes?.includes(filter) && coversPrefix(prefixes, filter) ? `${filter}/` : filter;
}

/**
 * The files that a body names, one as `object` or several as `objects`.
 *
 * @throws INVALID_BODY when it names both, or neither; INVALID_OBJECT
 */
function namedObjects(
  { object, objects }: { readonly object?: string; readonly objects?: readonly string[] },
  { caller }: Pick<Call, 'caller'>,
) {
  if (object !== undefined && objects !== undefined)
    throw new Refusal('INVALID_BODY', { message: 'The body has both `object` and `objects`. Send one of them.' });
  const ids = objects ?? (object === undefined ? undefined : [object]);
  if (!ids) {
    throw new Refusal('INVALID_BODY', {
      message:
        'The body has neither `object` nor `objects`. Send the id of one file as `object`, or a list of ids as `objects`.',
    });
  }
  return { ids, addresses: ids.map((id) => parseObjectId(id, caller.account.id)) };
}

/** @throws INVALID_OBJECT, INVALID_OBJECT_EXPIRE, INVALID_OBJECT_SECURITY_HASH */
function copyOf(
  { source: id, destination: to, move = false, overwrite = false }: CopyObjectData['body'],
  accountId: string,
) {
  const source = parseObjectId(id, accountId);
  const destination = readDestination(source, {
    name: to.name,
    prefix: withoutTrailingSlash(to.prefix),
    isPrivate: to.private,
    expire: durationText(to.expire),
    securityHash: to.security_hash,
  });
  return { source, destination, move, overwrite };
}
