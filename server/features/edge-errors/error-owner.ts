import type { FindLinkOwner, OwnedPath } from '#server/domain/ports/owned-path.ts';
import { normalisePath } from './normalise-path.ts';

/**
 * Finds the owner of a public file by the account at the beginning of its address. Returns undefined for another
 * address.
 */
export function publicErrorOwner(target: string): OwnedPath | undefined {
  const [, accountId] = /^\/([0-9]{18})\//.exec(pathOf(target)) ?? [];
  return accountId === undefined ? undefined : { owner: { accountId }, path: normalisePath(target) };
}

/** Finds the owner of a link. Returns undefined for another address. */
export function linkErrorOwner(finders: readonly FindLinkOwner[], target: string): OwnedPath | undefined {
  const path = pathOf(target);
  for (const find of finders) {
    const owned = find(path);
    if (owned) return owned;
  }
  return undefined;
}

/** Returns the path of a target, which may be a whole URL as proxies send it. */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '');
}
