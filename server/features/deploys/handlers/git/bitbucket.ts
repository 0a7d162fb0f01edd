import type { RefChange } from '../../push.ts';
import {
  branchChange,
  listOf,
  objectOf,
  refChange,
  repositoryOf,
  textAt,
  textOf,
  valueAt,
  type Payload,
  type PushFields,
} from './payload.ts';

/**
 * Reads a push of Bitbucket Cloud. It has one change for each ref, with the state before and after it. `new` is null if
 * the ref was deleted.
 *
 * @see https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/#Push
 * @throws INVALID_PAYLOAD
 */
export function readCloudPush(payload: Payload): PushFields {
  const changes = listOf(objectOf(payload.push).changes).map((entry): RefChange => {
    const change = objectOf(entry);
    const state = objectOf(change.new ?? change.old);
    const name = textOf(state.name);
    if (state.type !== 'branch') return { kind: 'other-ref', ref: name };
    if (change.new === null || change.new === undefined) return { kind: 'deleted-branch', branch: name };
    return branchChange(name, textOf(valueAt(state, 'target', 'hash')), textAt(state, 'target', 'message'));
  });
  return { changes, repository: repositoryOf(textAt(payload, 'repository', 'links', 'html', 'href')) };
}

/**
 * Reads a push of Bitbucket Data Center. Older versions send no messages, and before version 7 no address to clone
 * from.
 *
 * @see https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html
 * @throws INVALID_PAYLOAD
 */
export function readDataCenterPush(payload: Payload): PushFields {
  const { toCommit, commits } = payload;
  const changes = listOf(payload.changes).map((entry) => {
    const change = objectOf(entry);
    const { toHash: commit, type } = change;
    const ref = textOf(valueAt(change, 'ref', 'id') ?? change.refId);
    return refChange(ref, { commit, isDeleted: type === 'DELETE', commits: [toCommit, commits] });
  });
  return { changes, repository: repositoryOf(httpAddress(valueAt(payload, 'repository', 'links', 'clone'))) };
}

function httpAddress(links: unknown): string | undefined {
  const isHttp = (link: unknown) => ['http', 'https'].includes(textAt(link, 'name') ?? '');
  return Array.isArray(links) ? textAt(links.find(isHttp), 'href') : undefined;
}
