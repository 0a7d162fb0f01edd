import { isNoCommit, type GitPush, type RefChange } from '#server/domain/deploys/push.ts';
import {
  branchChange,
  branchOfRef,
  listOf,
  messageAmong,
  objectOf,
  repositoryOf,
  textAt,
  textOf,
  valueAt,
  type Payload,
} from './payload.ts';

/**
 * A push of Bitbucket Cloud: one change for each ref, with the state before and after it; `new` is null where it was
 * deleted.
 *
 * @see https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/#Push
 * @throws INVALID_PAYLOAD
 */
export function readCloudPush(payload: Payload): Omit<GitPush, 'host'> {
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
 * A push of Bitbucket Data Center. Older versions send no messages, and no address to clone from before version 7.
 *
 * @see https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html
 * @throws INVALID_PAYLOAD
 */
export function readDataCenterPush(payload: Payload): Omit<GitPush, 'host'> {
  const changes = listOf(payload.changes).map((entry): RefChange => {
    const change = objectOf(entry);
    const ref = textOf(valueAt(change, 'ref', 'id') ?? change.refId);
    const branch = branchOfRef(ref);
    if (branch === undefined) return { kind: 'other-ref', ref };
    const commit = textOf(change.toHash);
    return change.type === 'DELETE' || isNoCommit(commit)
      ? { kind: 'deleted-branch', branch }
      : branchChange(branch, commit, messageAmong([payload.toCommit], commit) ?? messageAmong(payload.commits, commit));
  });
  return { changes, repository: repositoryOf(httpAddress(valueAt(payload, 'repository', 'links', 'clone'))) };
}

function httpAddress(links: unknown): string | undefined {
  return Array.isArray(links)
    ? textAt(
        links.find((link) => ['http', 'https'].includes(textAt(link, 'name') ?? '')),
        'href',
      )
    : undefined;
}
