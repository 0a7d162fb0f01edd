import type { EventType } from '#dist/modules/client/index.js';

/** Every type of event of the contract. A missing one is an error of types. */
const known = {
  'object.created': true,
  'object.replaced': true,
  'object.updated': true,
  'object.moved': true,
  'object.visibility_changed': true,
  'object.expiry_changed': true,
  'object.deleted': true,
  'object.expired': true,
  'object.restored': true,
  'object.purged': true,
  'upload.started': true,
  'upload.completed': true,
  'upload.aborted': true,
  'share.created': true,
  'share.updated': true,
  'share.visited': true,
  'share.downloaded': true,
  'share.spent': true,
  'share.ended': true,
  'file_request.created': true,
  'file_request.updated': true,
  'file_request.received': true,
  'file_request.full': true,
  'file_request.ended': true,
  'upload_token.used_up': true,
  'quota.reached': true,
  'ai.budget_reached': true,
  'key.created': true,
  'key.updated': true,
  'key.revoked': true,
  'deploy.queued': true,
  'deploy.started': true,
  'deploy.ended': true,
  'deploy.filtered': true,
  'webhook.test': true,
} as const satisfies Record<EventType, true>;

const eventTypes = Object.keys(known) as EventType[];

/** The types that a webhook can choose, by the part before the dot. Test events go to every webhook. */
export const eventGroups: ReadonlyMap<string, readonly EventType[]> = Map.groupBy(
  eventTypes.filter((type) => type !== 'webhook.test'),
  (type) => type.split('.', 1)[0]!,
);

/**
 * Returns the shortest list for a choice: a group of which all types are chosen becomes `object.*`. Null for all types.
 */
export function typesToSend(chosen: ReadonlySet<string>): string[] | null {
  const short = [...eventGroups].flatMap(([group, types]) => {
    const some = types.filter((type) => chosen.has(type));
    return some.length === types.length && types.length > 1 ? [`${group}.*`] : some;
  });
  const isAll = [...eventGroups.values()].flat().every((type) => chosen.has(type));
  return isAll ? null : short;
}

/** Returns the types that a list of the contract stands for. Null stands for all. */
export function typesChosen(sent: readonly string[] | null): Set<string> {
  const all = [...eventGroups.values()].flat();
  if (sent === null) return new Set(all);
  return new Set(
    all.filter((type) => sent.some((one) => (one.endsWith('*') ? type.startsWith(one.slice(0, -1)) : one === type))),
  );
}
