import {
  firstLine,
  isBranchName,
  isCommit,
  isNoCommit,
  type BranchChange,
  type GitPush,
  type RefChange,
} from '../../push.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** A JSON object with unchecked fields. */
export type Payload = Readonly<Record<string, unknown>>;

/** A push as a payload describes it. */
export type PushFields = Omit<GitPush, 'host'>;

/**
 * The fields of all hosts that are read, at any depth. The parser skips all others, which are nearly all of a payload.
 */
export const payloadFields: ReadonlySet<string> = new Set([
  ...['ref', 'ref_type', 'before', 'after', 'deleted', 'head_commit', 'commits', 'id', 'message'],
  ...['repository', 'project', 'clone_url', 'git_http_url', 'links', 'html', 'clone', 'href', 'name'],
  ...['object_kind', 'eventKey', 'date'],
  ...['push', 'changes', 'new', 'old', 'type', 'target', 'hash', 'refId', 'toHash', 'toCommit'],
]);

/** The fields that list the changed files of a push. They are read only for applications that filter by them. */
export const fileFields: ReadonlySet<string> = new Set([
  ...payloadFields,
  ...['added', 'removed', 'modified', 'created', 'forced', 'total_commits_count', 'total_commits'],
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

/** Returns the value at a path of fields, or undefined if the path does not exist. */
export function valueAt(payload: unknown, ...path: readonly string[]): unknown {
  let at: unknown = payload;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Payload)[step];
  }
  return at;
}

/** Returns the text at a path of fields, or undefined for anything else. */
export function textAt(payload: unknown, ...path: readonly string[]): string | undefined {
  const value = valueAt(payload, ...path);
  return typeof value === 'string' ? value : undefined;
}

const branchStart = 'refs/heads/';

/**
 * Reads the change of one ref.
 *
 * @param commit the new commit of the ref. All zeros also mean a deletion
 * @param commits commits, and lists of them, that may have the message of the new one
 * @param files all files that the push changes, if they are known
 * @throws INVALID_PAYLOAD
 */
export function refChange(
  ref: string,
  change: {
    readonly commit: unknown;
    readonly isDeleted?: boolean;
    readonly commits: readonly unknown[];
    readonly files?: readonly string[] | undefined;
  },
): RefChange {
  if (!ref.startsWith(branchStart)) return { kind: 'other-ref', ref };
  const branch = ref.slice(branchStart.length);
  const commit = textOf(change.commit);
  if (change.isDeleted || isNoCommit(commit)) return { kind: 'deleted-branch', branch };
  const same = change.commits.flat().filter((one) => textAt(one, 'id') === commit);
  const message = same.map((one) => textAt(one, 'message')).find((text) => text !== undefined);
  return { ...branchChange(branch, commit, message), files: change.files };
}

/**
 * Returns the change of a branch that is to be deployed.
 *
 * @param message the whole message of the commit, if the payload has it
 * @throws INVALID_PAYLOAD
 */
export function branchChange(branch: string, commit: string, message: string | undefined): BranchChange {
  if (!isBranchName(branch) || !isCommit(commit)) throw new Refusal('INVALID_PAYLOAD');
  return { kind: 'branch', branch, commit, message: firstLine(message ?? '') };
}

/** Whether a push names the commit or the time before a branch was moved. Then two pushes are equal only by chance. */
export function tellsBefore(payload: Payload): boolean {
  if (textAt(payload, 'before') !== undefined || textAt(payload, 'date') !== undefined) return true;
  const changes = valueAt(payload, 'push', 'changes');
  return Array.isArray(changes) && changes.every((change) => textAt(change, 'old', 'target', 'hash') !== undefined);
}

const maxRepositoryCharacters = 2048;

/**
 * Returns an address to clone from. It has no credentials, and no query, which may be a credential. Returns null for
 * anything else.
 */
export function repositoryOf(address: string | undefined): string | null {
  const url = address === undefined || address.length > maxRepositoryCharacters ? null : URL.parse(address);
  if (!url || !['https:', 'http:', 'file:'].includes(url.protocol)) return null;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href;
}
