import type { ObjectsHandlers } from '#generated/router.ts';
import type { UpdateResult } from '#generated/types.ts';
import { createDownloadLink } from '#server/domain/links/create-download-link.ts';
import { readDestination, type CopyDestination } from '#server/domain/objects/copy-destination.ts';
import { copyObject } from '#server/domain/objects/copy-object.ts';
import { formatObjectId, parseObjectId } from '#server/domain/object-id.ts';
import type { StoredObject } from '#server/domain/objects/object.ts';
import { publicUrl } from '#server/domain/objects/public-url.ts';
import { servingOf } from '#server/domain/objects/served-headers.ts';
import { updateObjects, type UpdateOutcome } from '#server/domain/objects/update-objects.ts';
import type { Cdn } from '#server/domain/ports/cdn.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { Ids } from '#server/domain/ports/ids.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { cleanFilename } from '#server/http/content-disposition.ts';
import { actorOf } from './actor.ts';
import type { Call } from './call.ts';
import type { FieldChecks } from './field-checks.ts';
import { namedObjects } from './named-objects.ts';
import { durationText, timestamp, withoutTrailingSlash } from './wire.ts';

interface Deps {
  readonly metadata: Metadata;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly cdn: Cdn;
  /** Addresses of the public and the files host, without a trailing slash. */
  readonly publicHost: string;
  readonly filesHost: string;
}

type CopyBody = Parameters<ObjectsHandlers<Call>['copyObject']>[0]['body'];

/** Fields of copies that are asked before the plan. */
export const objectsChangesFieldChecks: FieldChecks = {
  copyObject({ body }: { readonly body: CopyBody }, { caller }) {
    readDestination(parseObjectId(body.source, caller.account.id), destinationOf(body));
  },
};

/** Wire ⇄ domain for what changes files that are there, and for links to them. */
export function objectsChangesHandlers(
  deps: Deps,
): Pick<ObjectsHandlers<Call>, 'updateObjects' | 'copyObject' | 'getDownloadLink'> {
  const url = (object: StoredObject) => publicUrl(deps.publicHost, object);
  return {
    async updateObjects({ body }, call) {
      const { caller } = call;
      const ids = namedObjects(body);
      const outcomes = await updateObjects(
        { ...deps, publicUrl: url },
        {
          account: caller.account,
          addresses: ids.map((id) => parseObjectId(id, caller.account.id)),
          changes: {
            isPrivate: body.private,
            expire: durationText(body.expire),
            cacheControl: body.cache_control,
            disposition: body.disposition,
            metadata: body.metadata,
          },
          actor: actorOf(call),
        },
      );
      const results = outcomes.map((outcome, index) => resultOf(ids[index]!, outcome, url));
      return { status: 200, body: { status: 'success', response: { results } } };
    },

    async copyObject({ body }, call) {
      const { caller } = call;
      const { object, isReplaced } = await copyObject(
        { ...deps, publicUrl: url },
        {
          account: caller.account,
          source: parseObjectId(body.source, caller.account.id),
          destination: destinationOf(body),
          move: body.move ?? false,
          overwrite: body.overwrite ?? false,
          actor: actorOf(call),
        },
      );
      const response = {
        id: formatObjectId(object),
        private: object.space === 'private',
        url: url(object),
        ...(object.expiresAt !== null && { expires_at: timestamp(object.expiresAt) }),
        size: object.sizeBytes,
        source: body.source,
        moved: body.move ?? false,
        replaced: isReplaced,
      };
      return { status: 200, body: { status: 'success', response } };
    },

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
      const response = {
        url: address,
        expires_at: link ? timestamp(link.expiresAt) : null,
        private: object.space === 'private',
        size: object.sizeBytes,
        content_type: servingOf(object).contentType,
      };
      return { status: 200, body: { status: 'success', response } };
    },
  };
}

function destinationOf({ destination }: CopyBody): CopyDestination {
  return {
    name: destination.name,
    prefix: withoutTrailingSlash(destination.prefix),
    isPrivate: destination.private,
    expire: durationText(destination.expire),
    securityHash: destination.security_hash,
  };
}

function resultOf(id: string, outcome: UpdateOutcome, url: (object: StoredObject) => string | null): UpdateResult {
  if (!outcome.ok) return { object: id, ok: false, code: outcome.code };
  const { object, isMoved } = outcome;
  return {
    object: id,
    ok: true,
    changed: isMoved,
    id: formatObjectId(object),
    private: object.space === 'private',
    url: url(object),
    size: object.sizeBytes,
    expires_at: object.expiresAt === null ? null : timestamp(object.expiresAt),
  };
}
