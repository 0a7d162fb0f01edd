import { textOf, type Payload } from './payload.ts';

/** GitHub lists this many commits of a push, and no more. */
const mostCommits = 2048;

/** A list of files this long may be cut off. */
const mostFiles = 3000;

const kinds = ['added', 'removed', 'modified'] as const;

/**
 * Returns the files that a push changes, of GitHub, GitLab, Gitea or Forgejo. Undefined if the payload does not list
 * all of them: for a new branch, a forced push, a push without commits or without files, or a list that is cut off.
 *
 * @param total the number of commits of the push, if the host sends it
 */
export function changedFiles(
  { before, commits, created, forced }: Payload,
  total: unknown,
): readonly string[] | undefined {
  if (!Array.isArray(commits) || commits.length === 0 || commits.length >= mostCommits) return undefined;
  if (typeof total === 'number' && total !== commits.length) return undefined;
  if (created === true || forced === true || typeof before !== 'string' || /^0+$/.test(before)) return undefined;
  const files = new Set<string>();
  for (const commit of commits as readonly unknown[]) {
    const lists = filesOf(commit);
    if (!lists) return undefined;
    for (const file of lists) files.add(file);
  }
  // People push an empty commit to deploy once more.
  return files.size === 0 ? undefined : [...files];
}

/** Returns the files of a commit, or undefined if they are not all there. */
function filesOf(commit: unknown): string[] | undefined {
  if (typeof commit !== 'object' || commit === null) return undefined;
  const lists = kinds.map((kind) => (commit as Payload)[kind]);
  // Gitea sends null in place of all three where it does not know them.
  if (!lists.some(Array.isArray)) return undefined;
  const files = lists.flatMap((list) => (Array.isArray(list) ? list : [])).map(textOf);
  return files.length >= mostFiles ? undefined : files;
}
