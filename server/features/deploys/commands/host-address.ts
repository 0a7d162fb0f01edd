import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import { isPublicAddress } from '#server/public-address.ts';
import { isAmong } from './repository-refusal.ts';

/** Returns every address of a host name. */
export type LookUp = (host: string) => Promise<readonly string[]>;

const systemLookUp: LookUp = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** The ways in which git may connect to the host of a repository. */
export type HostAddress =
  /** Without restriction: the operator named the host, or it is a public address or a file. */
  | { readonly kind: 'any' }
  /** Only at these addresses, in the syntax of `http.curloptResolve`. */
  | { readonly kind: 'pinned'; readonly resolve: string }
  /** Through the proxy of the runner's environment, with no exemptions. */
  | { readonly kind: 'proxy' }
  | { readonly kind: 'refused'; readonly why: string }
  /** The name cannot be resolved now. */
  | { readonly kind: 'unknown'; readonly why: string };

/**
 * Returns how git may reach the host of a repository. Anybody who knows a webhook's address can name a repository, and
 * the runner is in the operator's network. So if no `--from` names the host, all its addresses must be public. Git is
 * pinned to those addresses, because a second look-up could return others.
 *
 * @param from addresses that repositories may be cloned from, including everything below them
 */
export async function hostAddress(
  repository: string,
  from: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  lookUp: LookUp = systemLookUp,
): Promise<HostAddress> {
  const { protocol, hostname, port } = new URL(repository);
  if (protocol === 'file:' || from.some((address) => URL.parse(address)?.host && isAmong(repository, address)))
    return { kind: 'any' };
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return isPublicAddress(host) ? { kind: 'any' } : privateHost(hostname);
  if (isProxied(protocol, env)) return { kind: 'proxy' };
  let addresses: readonly string[];
  try {
    addresses = await lookUp(host);
  } catch (error) {
    return {
      kind: 'unknown',
      why: `The host ${hostname} could not be found: ${(error as NodeJS.ErrnoException).code ?? 'no address'}.`,
    };
  }
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) return privateHost(hostname);
  const bracketed = addresses.map((address) => (address.includes(':') ? `[${address}]` : address));
  return {
    kind: 'pinned',
    resolve: `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}:${bracketed.join(',')}`,
  };
}

function privateHost(hostname: string): HostAddress {
  return { kind: 'refused', why: `The host ${hostname} is not public. Name it with --from to clone from it.` };
}

/** Reads the proxy variables as curl does, which ignores `HTTP_PROXY` in capitals. */
function isProxied(protocol: string, env: Readonly<Record<string, string | undefined>>): boolean {
  const names = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'] : ['http_proxy', 'ALL_PROXY'];
  return names.some((name) => Boolean(env[name]));
}
