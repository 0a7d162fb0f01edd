import type { ObjectsHandlers } from '#generated/router.ts';
import type { ObjectEntry, ObjectInfo } from '#generated/types.ts';
import { coversPrefix } from '#server/domain/prefixes.ts';
import { servedCacheControl } from '#server/domain/cache-control.ts';
import { deleteObject, deleteObjects } from '#server/domain/objects/delete-objects.ts';
import { formatObjectId, parseObjectId } from '#server/domain/object-id.ts';
import { listObjects } from '#server/domain/objects/list-objects.ts';
import type { ListPages } from '#server/domain/objects/list-pages.ts';
import { objectInfo } from '#server/domain/objects/object-info.ts';
import type { StoredObject } from '#server/domain/objects/object.ts';
import { isAtPublicUrl, publicUrl } from '#server/domain/objects/public-url.ts';
import { servingOf } from '#server/domain/objects/served-headers.ts';
import { checkUpload, uploadObject } from '#server/domain/objects/upload-object.ts';
import type { BlobStore } from '#server/domain/ports/blobs.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { cleanDisposition } from '#server/http/content-disposition.ts';
import { actorOf } from './actor.ts';
import type { Call } from './call.ts';
import type { FieldChecks } from './field-checks.ts';
import { namedObjects } from './named-objects.ts';
import { uploadOptions } from './upload-options.ts';
import { timestamp } from './wire.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly blobs: BlobStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly pages: ListPages;
  /** Address of the public host, without a trailing slash. */
  readonly publicHost: string;
  /** Told of each file that was stored. */
  noteStored(sizeBytes: number): void;
}

type Implemented = 'uploadObject' | 'listObjects' | 'deleteObjects' | 'getObjectInfo';

type UploadQuery = Parameters<ObjectsHandlers<Call>['uploadObject']>[0]['query'];

/** Fields of files that are asked before the plan. */
export const objectsFieldChecks: FieldChecks = {
  uploadObject({ query }: { readonly query: UploadQuery }, { file, caller }) {
    checkUpload(uploadOptions(query), file, caller.token);
  },
};

/** Wire ⇄ domain for files. */
export function objectsHandlers(deps: Deps): Pick<ObjectsHandlers<Call>, Implemented> {
  const url = (object: StoredObject) => publicUrl(deps.publicHost, object);
  /** Null also where that URL is another file's: it would lead to the wrong bytes. */
  const ownUrl = async (object: StoredObject) => ((await isAtPublicUrl(deps, object)) ? url(object) : null);
  return {
    async uploadObject({ query }, { caller, origin, file, signal }) {
      const { object, isReplaced, name, prefix } = await uploadObject(deps, {
        caller,
        options: uploadOptions(query),
        checksumSha256: query.checksum_sha256,
        file,
        signal,
        actor: actorOf({ origin, caller }),
      });
      deps.noteStored(object.sizeBytes);
      return {
        status: 200,
        body: {
          status: 'success',
          response: {
            id: formatObjectId(object),
            name,
            ...(prefix && { prefix }),
            size: object.sizeBytes,
            url: url(object),
            private: object.space === 'private',
            sha256: object.sha256!,
            replaced: isReplaced,
            ...(object.expiresAt !== null && { expires_at: timestamp(object.expiresAt) }),
          },
        },
      };
    },

    async listObjects({ query }, { caller }) {
      if (query.cursor !== undefined && query.continuationToken !== undefined)
        throw new Refusal('INVALID_CONTINUATION_TOKEN', {
          message: 'cursor and continuationToken are two names of one parameter. Send one of them.',
        });
      const page = await listObjects(deps, {
        accountId: caller.account.id,
        prefix: withinKey(caller.key.prefixes, query.prefix ?? ''),
        isPrivate: query.private,
        delimiter: query.delimiter !== undefined,
        limit: query.limit ?? 1000,
        cursor: query.cursor ?? query.continuationToken,
      });
      const objects = await Promise.all(page.objects.map(async (object) => entryOf(object, await ownUrl(object))));
      return {
        status: 200,
        body: {
          status: 'success',
          response: {
            objects,
            ...(query.delimiter !== undefined && { folders: [...page.folders] }),
            ...(page.next !== undefined && { continuationToken: page.next }),
          },
        },
      };
    },

    async deleteObjects({ body }, { caller, origin }) {
      const ids = namedObjects(body);
      const addresses = ids.map((id) => parseObjectId(id, caller.account.id));
      if (addresses.length === 1) {
        await deleteObject(deps, addresses[0]!, actorOf({ origin, caller }));
        return { status: 200, body: { status: 'success' } };
      }
      const { deleted, notFound, failed } = await deleteObjects(deps, addresses, actorOf({ origin, caller }));
      const response = {
        deleted: [...deleted],
        not_found: [...notFound],
        failed: failed.map((id) => ({ id, code: 'DELETE_FAILED' as const })),
      };
      return { status: 200, body: { status: 'success', response } };
    },

    async getObjectInfo({ query }, { caller }) {
      const object = await objectInfo(deps, parseObjectId(query.object, caller.account.id));
      return { status: 200, body: { status: 'success', response: infoOf(object, await ownUrl(object)) } };
    },
  };
}

/** For a key that is restricted to `photos`, the filter `photos` means the folder and not `photos-2025/` beside it. */
function withinKey(prefixes: readonly string[] | null, filter: string): string {
  return prefixes?.includes(filter) && coversPrefix(prefixes, filter) ? `${filter}/` : filter;
}

function entryOf(object: StoredObject, url: string | null): ObjectEntry {
  return {
    id: formatObjectId(object),
    size: object.sizeBytes,
    created_at: timestamp(object.createdAt),
    ...(object.expiresAt !== null && { expires_at: timestamp(object.expiresAt) }),
    private: object.space === 'private',
    url,
    etag: object.etag,
  };
}

function infoOf(object: StoredObject, url: string | null): ObjectInfo {
  const { contentType, disposition, filename } = servingOf(object);
  return {
    id: formatObjectId(object),
    size: object.sizeBytes,
    content_type: contentType,
    etag: object.etag,
    created_at: timestamp(object.createdAt),
    expires_at: object.expiresAt === null ? null : timestamp(object.expiresAt),
    private: object.space === 'private',
    url,
    cache_control: object.cacheControl === null ? null : servedCacheControl(object.cacheControl),
    content_disposition: disposition && cleanDisposition(disposition, filename),
    original_name: object.originalName,
    metadata: { ...object.metadata },
    legacy: object.space === 'legacy',
    sha256: object.sha256,
  };
}
