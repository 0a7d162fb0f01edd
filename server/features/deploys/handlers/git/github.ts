import { changedFiles } from './changed-files.ts';
import { refChange, repositoryOf, textAt, textOf, type Payload, type PushFields } from './payload.ts';

/**
 * Reads a push of GitHub, and of Gitea and Forgejo, which send the same fields. A push without commits (a new branch on
 * an existing commit) has no list of them, but names its commit in `after`.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#push
 * @throws INVALID_PAYLOAD
 */
export function readGithubPush(payload: Payload): PushFields {
  const { ref, after: commit, deleted, head_commit: head, commits, total_commits: total } = payload;
  return {
    changes: [
      refChange(textOf(ref), {
        commit,
        isDeleted: deleted === true,
        commits: [head, commits],
        files: changedFiles(payload, total),
      }),
    ],
    repository: repositoryOf(textAt(payload, 'repository', 'clone_url')),
  };
}

/** Reads the event that Gitea and Forgejo send for a deleted ref. It names the ref without `refs/heads/`. */
export function readGiteaDeletion(payload: Payload): PushFields {
  const name = textOf(payload.ref);
  const isBranch = payload.ref_type === 'branch';
  return {
    changes: [isBranch ? { kind: 'deleted-branch', branch: name } : { kind: 'other-ref', ref: name }],
    repository: null,
  };
}
