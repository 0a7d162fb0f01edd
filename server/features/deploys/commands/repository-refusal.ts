import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns why a repository may not be cloned, or undefined if it may.
 *
 * @param from addresses that repositories may be cloned from, including everything below them
 */
export function repositoryRefusal(repository: string | null, from: readonly string[]): string | undefined {
  if (repository === null) return 'The push contains no clone URL of its repository.';
  if (from.some((address) => isAmong(repository, address))) return undefined;
  return `The repository ${repository} is not among those that "deploys run" may clone. Name its address with --from.`;
}

/** Returns whether a repository is at an address or below it. */
export function isAmong(repository: string, address: string): boolean {
  return repository.startsWith('file:') ? isFileBelow(repository, address) : isAddressBelow(repository, address);
}

/** Encoded slashes and dots could lead upwards once the host decodes them. */
const encodedSteps = /%(2f|5c|2e)/i;

function isAddressBelow(repository: string, address: string): boolean {
  const url = URL.parse(repository);
  if (!url || url.href !== repository || encodedSteps.test(url.pathname)) return false;
  return repository === address || repository.startsWith(address.endsWith('/') ? address : `${address}/`);
}

/** Compares the real paths, with links followed. */
function isFileBelow(repository: string, address: string): boolean {
  const [path, top] = [pathOf(repository), pathOf(address)];
  if (path === undefined || top === undefined || !isBelow(path, top)) return false;
  return isBelow(realPathOf(path), realPathOf(top));
}

function pathOf(address: string): string | undefined {
  const url = URL.parse(address);
  // Git treats a query or a fragment as part of the path.
  if (url?.protocol !== 'file:' || url.search !== '' || url.hash !== '' || encodedSteps.test(url.pathname))
    return undefined;
  try {
    return resolve(fileURLToPath(url));
  } catch {
    return undefined;
  }
}

function isBelow(path: string, top: string): boolean {
  return path === top || path.startsWith(top.endsWith(sep) ? top : `${top}${sep}`);
}

/** Follows links even if the last parts of the path do not exist. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path));
  }
}
