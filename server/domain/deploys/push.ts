import { readableLine } from '../readable-line.ts';
import type { GitHost } from './deploy.ts';

/** What a push does to one ref. */
export type RefChange =
  | { readonly kind: 'branch'; readonly branch: string; readonly commit: string; readonly message: string | null }
  | { readonly kind: 'deleted-branch'; readonly branch: string }
  | { readonly kind: 'other-ref'; readonly ref: string };

/** A branch that a push moved or made. */
export type BranchChange = Extract<RefChange, { kind: 'branch' }>;

/** A push as its host tells of it. */
export interface GitPush {
  readonly host: GitHost;
  /** In the order in which the host names them; one at least. */
  readonly changes: readonly RefChange[];
  /** The address to clone from; null when the host does not say. */
  readonly repository: string | null;
}

const maxBranchBytes = 1024;

/**
 * Whether git takes this as a branch's name, and its commands cannot take it for an option.
 *
 * @see https://git-scm.com/docs/git-check-ref-format
 */
export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || Buffer.byteLength(name) > maxBranchBytes || !name.isWellFormed()) return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$|^-|^\/|\/$/u.test(name)) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

/** Whether this is a commit's whole name, in lowercase hex. */
export function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);
}

/** What hosts send in the place of a commit that is not there. */
export function isNoCommit(text: string): boolean {
  return /^(0{40}|0{64})$/.test(text);
}

const maxMessageCharacters = 500;

/** The first line of a commit's message, for people to read; null when there is nothing in it. */
export function firstLine(message: string): string | null {
  const [line = ''] = message.trimStart().split(/[\r\n]/, 1);
  return [...readableLine(line)].slice(0, maxMessageCharacters).join('') || null;
}

/** Scheme, host and port of a repository's address, where it is one that takes credentials. */
export function originOf(repository: string | null): string | undefined {
  const url = repository === null ? null : URL.parse(repository);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.origin : undefined;
}
