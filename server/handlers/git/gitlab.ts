import { isNoCommit, type GitPush } from '#server/domain/deploys/push.ts';
import { branchChange, branchOfRef, messageAmong, repositoryOf, textAt, textOf, type Payload } from './payload.ts';

/**
 * A push of GitLab, of a branch or a tag. Of a deleted ref, `after` is all zeros and `checkout_sha` null.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhook_events/#push-events
 * @throws INVALID_PAYLOAD
 */
export function readGitlabPush(payload: Payload): Omit<GitPush, 'host'> {
  const ref = textOf(payload.ref);
  const branch = branchOfRef(ref);
  const repository = repositoryOf(
    textAt(payload, 'project', 'git_http_url') ?? textAt(payload, 'repository', 'git_http_url'),
  );
  if (branch === undefined) return { changes: [{ kind: 'other-ref', ref }], repository };
  const after = textOf(payload.after);
  if (isNoCommit(after)) return { changes: [{ kind: 'deleted-branch', branch }], repository };
  return { changes: [branchChange(branch, after, messageAmong(payload.commits, after))], repository };
}
