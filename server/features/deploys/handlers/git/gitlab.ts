import { changedFiles } from './changed-files.ts';
import { refChange, repositoryOf, textAt, textOf, type Payload, type PushFields } from './payload.ts';

/**
 * Reads a push of GitLab, of a branch or a tag. For a deleted ref `after` is all zeros.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhook_events/#push-events
 * @throws INVALID_PAYLOAD
 */
export function readGitlabPush(payload: Payload): PushFields {
  const { ref, after: commit, commits, total_commits_count: total } = payload;
  const address = textAt(payload, 'project', 'git_http_url') ?? textAt(payload, 'repository', 'git_http_url');
  const files = changedFiles(payload, total);
  return {
    changes: [refChange(textOf(ref), { commit, commits: [commits], files })],
    repository: repositoryOf(address),
  };
}
