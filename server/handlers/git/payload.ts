import { firstLine, isBranchName, isCommit, type BranchChange } from '#server/domain/deploys/push.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** A JSON object whose fields nobody has checked. */
export type Payload = Readonly<Record<string, unknown>>;

/**
 * The fields of all hosts that are read, at whatever depth; the others of a payload, nearly all of it, are not looked
 * at.
 */
export const payloadFields: ReadonlySet<string> = new Set([
  ...['ref', 'ref_type', 'before', 'after', 'deleted', 'head_commit', 'commits', 'id', 'message'],
  ...['repository', 'project', 'clone_url', 'git_http_url', 'links', 'html', 'clone', 'href', 'name'],
  ...['object_kind', 'eventKey', 'date'],
  ...['push', 'changes', 'new', 'old', 'type', 'target', 'hash', 'refId', 'toHash', 'toCommit'],
]);

/** @throws INVALID_PAYLOAD */
export function objectOf(value: unknown): Payload {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal('INVALID_PAYLOAD');
  return value as Payload;
}

/** @throws INVALID_PAYLOAD */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Refusal('INVALID_PAYLOAD');
  return value;
}

/** @throws INVALID_PAYLOAD */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Refusal('INVALID_PAYLOAD');
  return value;
}

/** What lies at a path of own fields, where there is something. */
export function valueAt(payload: unknown, ...path: readonly string[]): unknown {
  let at: unknown = payload;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Payload)[step];
  }
  return at;
}

/** The text at a path; undefined where there is none. */
export function textAt(payload: unknown, ...path: readonly string[]): string | undefined {
  const value = valueAt(payload, ...path);
  return typeof value === 'string' ? value : undefined;
}

/** `refs/heads/main` as `main`; undefined for tags and everything else. */
export function branchOfRef(ref: string): string | undefined {
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
}

/**
 * A branch that is to be deployed.
 *
 * @param message the commit's whole message, if the payload has it
 * @throws INVALID_PAYLOAD
 */
export function branchChange(branch: string, commit: string, message: string | undefined): BranchChange {
  if (!isBranchName(branch) || !isCommit(commit)) throw new Refusal('INVALID_PAYLOAD');
  return { kind: 'branch', branch, commit, message: firstLine(message ?? '') };
}

/** The message of a commit, among those that a payload lists. */
export function messageAmong(commits: unknown, commit: string): string | undefined {
  return Array.isArray(commits)
    ? textAt(
        commits.find((one) => textAt(one, 'id') === commit),
        'message',
      )
    : undefined;
}

/**
 * Whether a push says from which commit or when a branch was moved: two pushes then come in the same words only by
 * chance.
 */
export function tellsBefore(payload: Payload): boolean {
  if (textAt(payload, 'before') !== undefined || textAt(payload, 'date') !== undefined) return true;
  const changes = valueAt(payload, 'push', 'changes');
  return Array.isArray(changes) && changes.every((change) => textAt(change, 'old', 'target', 'hash') !== undefined);
}

const maxRepositoryCharacters = 2048;

/** An address to clone from, without a credential, which a query may be too; null for what is none. */
export function repositoryOf(address: string | undefined): string | null {
  const url = address === undefined || address.length > maxRepositoryCharacters ? null : URL.parse(address);
  if (!url || !['https:', 'http:', 'file:'].includes(url.protocol)) return null;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href;
}
