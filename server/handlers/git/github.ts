import { isNoCommit, type GitPush } from '#server/domain/deploys/push.ts';
import { branchChange, branchOfRef, messageAmong, repositoryOf, textAt, textOf, type Payload } from './payload.ts';

/**
 * A push of GitHub, and of Gitea and Forgejo, which send the same fields. A push without commits (a branch that was
 * made where another stands) has no list of them, but names its commit in `after`.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#push
 * @throws INVALID_PAYLOAD
 */
export function readGithubPush(payload: Payload): Omit<GitPush, 'host'> {
  const ref = textOf(payload.ref);
  const branch = branchOfRef(ref);
  const repository = repositoryOf(textAt(payload, 'repository', 'clone_url'));
  if (branch === undefined) return { changes: [{ kind: 'other-ref', ref }], repository };
  const after = textOf(payload.after);
  if (payload.deleted === true || isNoCommit(after))
    return { changes: [{ kind: 'deleted-branch', branch }], repository };
  return {
    changes: [
      branchChange(branch, after, messageAmong([payload.head_commit], after) ?? messageAmong(payload.commits, after)),
    ],
    repository,
  };
}

/**
 * Gitea and Forgejo tell of a deleted ref in an event of its own, which names the ref without what stands before it.
 */
export function readGiteaDeletion(payload: Payload): Omit<GitPush, 'host'> {
  const name = textOf(payload.ref);
  const isBranch = payload.ref_type === 'branch';
  return {
    changes: [isBranch ? { kind: 'deleted-branch', branch: name } : { kind: 'other-ref', ref: name }],
    repository: null,
  };
}
