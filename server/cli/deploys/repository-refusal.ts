import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Why a repository is not cloned, if it is not.
 *
 * @param from the addresses from which, and from below which, repositories are cloned
 */
export function repositoryRefusal(repository: string | null, from: readonly string[]): string | undefined {
  if (repository === null) return 'The push does not say where its repository can be cloned from.';
  if (from.some((address) => isAmong(repository, address))) return undefined;
  return `The repository ${repository} is not among those that "deploys run" clones. Name where it lies with --from.`;
}

/** Whether a repository lies at an address or below it. */
export function isAmong(repository: string, address: string): boolean {
  return repository.startsWith('file:') ? isFileBelow(repository, address) : isAddressBelow(repository, address);
}

/** Slashes and dots that are encoded might lead upwards once the host has decoded them. */
const encodedSteps = /%(2f|5c|2e)/i;

function isAddressBelow(repository: string, address: string): boolean {
  const url = URL.parse(repository);
  if (!url || url.href !== repository || encodedSteps.test(url.pathname)) return false;
  return repository === address || repository.startsWith(address.endsWith('/') ? address : `${address}/`);
}

/** Compares where the addresses lead, with their links followed. */
function isFileBelow(repository: string, address: string): boolean {
  const [path, top] = [pathOf(repository), pathOf(address)];
  if (path === undefined || top === undefined || !isBelow(path, top)) return false;
  return isBelow(realPathOf(path), realPathOf(top));
}

function pathOf(address: string): string | undefined {
  const url = URL.parse(address);
  // Git reads a query or a fragment as part of the path.
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

/** Of what is not there, the links on the way to it are followed. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path));
  }
}
