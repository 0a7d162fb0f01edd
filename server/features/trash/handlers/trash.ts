import { parsing } from '#server/http/operation.ts';
import type { TrashHandlers } from '#generated/router.ts';
import type { PurgeReport, RestoreReport, TrashedVersion } from '#generated/types.ts';
import { mayPurgeKept } from '#server/domain/access/may-purge-kept.ts';
import { formatObjectId } from '#server/domain/object-id.ts';
import { listFilter } from '#server/domain/prefixes.ts';
import type { Refusal } from '#server/domain/refusal.ts';
import type { VersionOutcome } from '../each-version.ts';
import { listTrash } from '../list-trash.ts';
import { purgeVersions } from '../purge-versions.ts';
import { restoreVersions } from '../restore-versions.ts';
import type { TrashedObject } from '#server/features/files/trash-table.ts';
import { requireNoConditions } from '#server/domain/write-conditions.ts';
import { actorOf, type Call } from '#server/handlers/call.ts';
import { namedIds } from '#server/handlers/named-ids.ts';
import type { CorePorts } from '#server/handlers/ports.ts';
import { reachOf } from '#server/handlers/requester.ts';
import { continuation, cursorOf, success, timestamp, timestampOrNull } from '#server/handlers/wire.ts';

/** Returns the handlers of the trash. */
export function trashHandlers(deps: CorePorts): TrashHandlers<Call> {
  return {
    listTrash: parsing(
      ({ query }) => ({ limit: query.limit ?? 100, cursor: cursorOf(query), prefix: query.prefix ?? '' }),
      async (page, { caller: { account, key } }) => {
        const command = { ...page, accountId: account.id, prefix: listFilter(key.prefixes, page.prefix) };
        const { versions, next } = await listTrash(deps, command);
        return success({ versions: versions.map(versionOf), ...continuation(next) });
      },
    ),

    restoreTrash: parsing(
      ({ body }, call) => {
        const conditions = call.readConditions();
        const versionIds = namedVersions(body);
        if (versionIds.length > 1) requireNoConditions(conditions);
        return { versionIds, mayReplace: body.overwrite ?? false, conditions };
      },
      async (command, call) => {
        const outcomes = await restoreVersions(deps, { ...command, ...reachOf(call), actor: actorOf(call) });
        return success({
          restored: outcomes.flatMap((one) =>
            'done' in one ? [{ version: one.versionId, id: formatObjectId(one.done) }] : [],
          ),
          failed: failuresOf<RestoreReport['failed'][number]['code']>(outcomes),
        });
      },
    ),

    deleteTrash: parsing(
      ({ body }) => namedVersions(body),
      async (versionIds, call) => {
        const by = { ...reachOf(call), mayPurgeKept: mayPurgeKept(call.caller), actor: actorOf(call) };
        const outcomes = await purgeVersions(deps, { versionIds, ...by });
        return success({
          purged: outcomes.flatMap((one) => ('done' in one ? [one.versionId] : [])),
          failed: failuresOf<PurgeReport['failed'][number]['code']>(outcomes),
        });
      },
    ),
  };
}

/** @throws INVALID_BODY if the body names both one version and several, or neither */
function namedVersions(body: { readonly version?: string; readonly versions?: readonly string[] }): readonly string[] {
  return namedIds(body.version, body.versions, { field: 'version', noun: 'version' });
}

/** Returns the versions that failed. The use case gives only the codes that the contract names. */
function failuresOf<Code extends Refusal['code']>(
  outcomes: ReadonlyArray<VersionOutcome<unknown>>,
): Array<{ version: string; code: Code }> {
  return outcomes.flatMap((one) => ('code' in one ? [{ version: one.versionId, code: one.code as Code }] : []));
}

/** Returns a version as the list shows it. */
function versionOf(version: TrashedObject): TrashedVersion {
  return {
    version: version.versionId,
    id: formatObjectId(version),
    reason: version.reason,
    deleted_at: timestamp(version.deletedAt),
    purge_at: timestamp(version.purgeAt),
    size: version.sizeBytes,
    etag: version.etag,
    sha256: version.sha256,
    private: version.space === 'private',
    created_at: timestamp(version.createdAt),
    expires_at: timestampOrNull(version.expiresAt),
    original_name: version.originalName,
  };
}
