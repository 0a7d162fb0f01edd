import { parsing } from '#server/http/operation.ts';
import { Rendered } from '#server/http/reply.ts';
import type { FilesHandlers } from '#generated/router.ts';
import type {
  CopyObjectData,
  DeletionReport as WireReport,
  ListObjectsResponse,
  UpdateObjectsData,
} from '#generated/types.ts';
import { createDownloadLink } from '../links/create-download-link.ts';
import { formatObjectId, type ObjectAddress } from '#server/domain/object-id.ts';
import { readDestination } from '../copy/copy-destination.ts';
import { copyObject } from '../copy/copy-object.ts';
import { deleteObject, deleteObjects, type DeletionReport } from '../deletion/delete-objects.ts';
import { yieldingTo } from '../give-way.ts';
import { listObjects, type ListObjects } from '../listing/list-objects.ts';
import type { ListPage, ListPages } from '../listing/list-pages.ts';
import type { ObjectChanges } from '../update/object-changes.ts';
import { objectInfo } from '../object-info.ts';
import { isAtPublicUrl, publicUrl } from '../public-url.ts';
import type { PlacedObject } from '../store-object.ts';
import type { UploadFields } from '../upload/upload-options.ts';
import { servingOf } from '../serving.ts';
import { updateObjects } from '../update/update-objects.ts';
import { checkUpload, uploadObject } from '../upload/upload-object.ts';
import { requireNoConditions } from '#server/domain/write-conditions.ts';
import { listFilter } from '#server/domain/prefixes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { cleanFilename } from '#server/http/content-disposition.ts';
import { actorOf, type Call } from '#server/handlers/call.ts';
import { entryOf, expiryOf, infoOf, placeOf, updateResultOf, uploadOptions } from './object-responses.ts';
import { requireGivenName, requireNoOtherProgram } from './given-name.ts';
import { detailsOf, readFields, readOrder, type ListField } from './list-query.ts';
import { namedIds } from '#server/handlers/named-ids.ts';
import type { CorePorts, Ports } from '#server/handlers/ports.ts';
import { receiptHeaders } from './receipts.ts';
import { continuation, cursorOf, done, success, timestampOrNull } from '#server/handlers/wire.ts';

interface Deps extends CorePorts, Pick<Ports, 'blobs' | 'cdn' | 'filesHost' | 'noteStored' | 'publicHost'> {
  readonly pages: ListPages<Rendered<ListObjectsResponse>>;
}

interface Kit extends Deps {
  publicUrl(address: ObjectAddress): string | null;
}

/** Returns the handlers of files. */
export function objectsHandlers(deps: Deps): Omit<FilesHandlers<Call>, 'listReceiptKeys' | 'openDownloadLink'> {
  const kit = { ...deps, publicUrl: (address: ObjectAddress) => publicUrl(deps.publicHost, address) };
  return { ...writingHandlers(kit), ...readingHandlers(kit) };
}

function writingHandlers(kit: Kit) {
  return {
    uploadObject: parsing(
      ({ query }, call) => ({
        conditions: call.readConditions(),
        fields: checkUpload(uploadOptions(query), call.file, call.caller.token),
        checksumSha256: query.checksum_sha256,
      }),
      async (upload, call) => {
        const { caller, file, signal } = call;
        const placed = await uploadObject(kit, { ...upload, caller, file, signal, actor: actorOf(call) });
        kit.noteStored(placed.object.sizeBytes);
        return uploadReply(kit, placed, upload.fields, caller);
      },
    ),

    async deleteObjects({ body }, call) {
      const addresses = namedObjects(body, call).map(({ address }) => address);
      const conditions = call.readConditions();
      const { keep_deleted_days: keepDays = 0 } = body;
      const deleting = { keepDays, actor: actorOf(call) };
      const [address, ...further] = addresses;
      if (further.length > 0) {
        requireNoConditions(conditions);
        const accountId = call.caller.account.id;
        return success(wireDeletion(await deleteObjects(kit, { ...deleting, accountId, addresses })));
      }
      const report = await deleteObject(kit, { ...deleting, address: address!, conditions });
      return body.keep_deleted_days === undefined ? done : success(wireDeletion(report));
    },

    async updateObjects({ body }, call) {
      const objects = namedObjects(body, call);
      const conditions = call.readConditions();
      if (objects.length > 1) requireNoConditions(conditions);
      requireGivenName(body.original_name, objects);
      const outcomes = await updateObjects(kit, {
        account: call.caller.account,
        addresses: objects.map(({ address }) => address),
        changes: changesOf(body),
        conditions,
        actor: actorOf(call),
      });
      return success({ results: objects.map(({ id }, index) => updateResultOf(id, outcomes[index]!, kit.publicUrl)) });
    },

    copyObject: parsing(
      ({ body }, call) => copyOf(body, call),
      async (copy, call) => {
        const actor = actorOf(call);
        const yielding = yieldingTo(kit, call.caller, actor);
        const placed = await copyObject(kit, { ...copy, account: call.caller.account, actor, yielding });
        return success({ ...placedOf(placed, kit), source: formatObjectId(copy.source), moved: copy.move });
      },
    ),
  } satisfies Partial<FilesHandlers<Call>>;
}

function wireDeletion({ deleted, kept, notFound, failed }: DeletionReport): WireReport {
  return {
    deleted: [...deleted],
    kept: kept.map(({ id, versionId }) => ({ id, version: versionId })),
    not_found: [...notFound],
    failed: failed.map((id) => ({ id, code: 'DELETE_FAILED' as const })),
  };
}

function uploadReply(kit: Kit, placed: PlacedObject, { name, prefix }: UploadFields, { key }: Call['caller']) {
  const { sizeBytes, sha256, createdAt } = placed.object;
  const statement = { object: placed.object, sizeBytes, sha256, at: createdAt, keyId: key.id };
  return {
    ...success({ ...placedOf(placed, kit), name, ...(prefix && { prefix }), sha256: sha256! }),
    headers: receiptHeaders(kit.secrets, { action: 'upload', ...statement }),
  };
}

function readingHandlers(kit: Kit) {
  /** Null also if the URL serves another file. */
  const ownUrl = async (object: ObjectAddress) => ((await isAtPublicUrl(kit, object)) ? kit.publicUrl(object) : null);
  return {
    async listObjects({ query }, { caller }) {
      const fields = readFields(query);
      const command = {
        accountId: caller.account.id,
        prefix: listFilter(caller.key.prefixes, query.prefix ?? ''),
        isPrivate: query.private,
        delimiter: query.delimiter !== undefined,
        ...readOrder(query),
        hasDetails: fields.length > 0,
        limit: query.limit ?? 1000,
        cursor: cursorOf(query),
      };
      const form = fields.toSorted().join();
      const body = await listObjects(
        kit,
        { ...command, form },
        (page) => new Rendered(listOf(page, command, fields, kit)),
      );
      return { status: 200, body };
    },

    async getObjectInfo({ query }, { references }) {
      const object = await objectInfo(kit, references.object(query.object));
      return success(infoOf(object, await ownUrl(object)));
    },

    async getDownloadLink({ query }, { references }) {
      const filename = query.filename === undefined ? undefined : cleanFilename(query.filename);
      if (filename === '') throw new Refusal('INVALID_FILENAME');
      const address = references.object(query.object);
      if (filename !== undefined) requireNoOtherProgram(filename, address);
      const { object, link } = await createDownloadLink(kit, {
        address,
        lifetimeMs: (query.expires ?? 3600) * 1000,
        disposition: query.disposition,
        filename,
      });
      const url = link ? `${kit.filesHost}/d/${link.token}` : kit.publicUrl(object)!;
      if (query.redirect ?? true) return { status: 302, headers: { Location: url, 'Cache-Control': 'no-store' } };
      return success({
        url,
        expires_at: timestampOrNull(link ? link.expiresAt : null),
        private: object.space === 'private',
        size: object.sizeBytes,
        content_type: servingOf(object).contentType,
      });
    },
  } satisfies Partial<FilesHandlers<Call>>;
}

/** Returns a page of a list. */
function listOf(
  { objects, folders, hiddenKeys, next }: ListPage,
  { delimiter }: Pick<ListObjects, 'delimiter'>,
  fields: readonly ListField[],
  { publicUrl: url }: Kit,
): ListObjectsResponse {
  const hidden = new Set(hiddenKeys);
  const isHidden = ({ space, key }: ObjectAddress) => space === 'legacy' && hidden.has(key);
  return success({
    objects: objects.map((object) => {
      const entry = entryOf(object, isHidden(object) ? null : url(object));
      return fields.length === 0 ? entry : { ...entry, ...detailsOf(object, fields) };
    }),
    ...(delimiter && { folders: [...folders] }),
    ...continuation(next),
  }).body;
}

/** Returns a file that was uploaded or copied. */
function placedOf({ object, isReplaced }: PlacedObject, { publicUrl: url }: Kit) {
  return {
    ...placeOf(object, url(object)),
    ...expiryOf(object),
    size: object.sizeBytes,
    etag: object.etag,
    replaced: isReplaced,
  };
}

/**
 * Reads the files that a body names, one as `object` or several as `objects`.
 *
 * @throws INVALID_BODY if it names both, or neither
 * @throws INVALID_OBJECT
 */
function namedObjects(
  { object, objects }: { readonly object?: string; readonly objects?: readonly string[] },
  { references }: Pick<Call, 'references'>,
): ReadonlyArray<{ readonly id: string; readonly address: ObjectAddress }> {
  return namedIds(object, objects, { field: 'object', noun: 'file' }).map((id) => ({
    id,
    address: references.object(id),
  }));
}

function changesOf(body: UpdateObjectsData['body']): ObjectChanges {
  return {
    isPrivate: body.private,
    expire: body.expire,
    cacheControl: body.cache_control,
    disposition: body.disposition,
    metadata: body.metadata,
    originalName: body.original_name,
  };
}

/** @throws INVALID_OBJECT, INVALID_OBJECT_EXPIRE, INVALID_OBJECT_SECURITY_HASH, INVALID_CONDITION */
function copyOf(
  { source: id, destination: to, move = false, overwrite = false }: CopyObjectData['body'],
  call: Pick<Call, 'references' | 'readConditions'>,
) {
  const source = call.references.object(id);
  const destination = readDestination(source, {
    name: to.name,
    prefix: to.prefix,
    isPrivate: to.private,
    expire: to.expire,
    securityHash: to.security_hash,
  });
  return { source, destination, move, overwrite, conditions: call.readConditions() };
}
