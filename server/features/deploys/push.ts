import { readableLine } from '#server/domain/readable-line.ts';
import type { GitHost } from './deploy.ts';

/** The change of one ref by a push. */
export type RefChange =
  | {
      readonly kind: 'branch';
      readonly branch: string;
      readonly commit: string;
      readonly message: string | null;
      /** All files that the push changes; undefined if the host does not list all of them. */
      readonly files?: readonly string[] | undefined;
    }
  | { readonly kind: 'deleted-branch'; readonly branch: string }
  | { readonly kind: 'other-ref'; readonly ref: string };

/** A branch that a push moved or created. */
export type BranchChange = Extract<RefChange, { kind: 'branch' }>;

/** A push, as its host reports it. */
export interface GitPush {
  readonly host: GitHost;
  /** At least one, in the order of the host. */
  readonly changes: readonly RefChange[];
  /** The address to clone from; null when the host sends none. */
  readonly repository: string | null;
}

const maxBranchBytes = 1024;

/**
 * Whether git accepts this as the name of a branch, and does not read it as an option.
 *
 * @see https://git-scm.com/docs/git-check-ref-format
 */
export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || Buffer.byteLength(name) > maxBranchBytes || !name.isWellFormed()) return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$|^-|^\/|\/$/u.test(name)) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

/** Whether a text is a full commit hash in lowercase hex. */
export function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);
}

/** Whether a text is the hash of zeros that hosts send instead of a commit. */
export function isNoCommit(text: string): boolean {
  return /^(0{40}|0{64})$/.test(text);
}

/** The commit of a deploy whose branch is read when it runs. */
export const noCommit = '0'.repeat(40);

const maxMessageCharacters = 500;

/** Returns the first line of a commit's message, printable; null when it is empty. */
export function firstLine(message: string): string | null {
  const [line = ''] = message.trimStart().split(/[\r\n]/, 1);
  return [...readableLine(line)].slice(0, maxMessageCharacters).join('') || null;
}

/** Returns scheme, host and port of a repository's HTTP address; undefined for another address. */
export function originOf(repository: string | null): string | undefined {
  const url = repository === null ? null : URL.parse(repository);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.origin : undefined;
}
