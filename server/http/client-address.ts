import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

import proxyAddr from 'proxy-addr';

/** Whether an address is that of a proxy whose `X-Forwarded-For` is believed. */
export type IsTrusted = (address: string) => boolean;

/**
 * Compiles a list of trusted proxies: addresses (`10.0.0.1`), networks (`10.0.0.0/8`, `fd00::/8`) and the names
 * `loopback`, `linklocal` and `uniquelocal`. An empty list trusts nobody.
 *
 * @throws {TypeError} when an entry is none of these
 */
export function compileTrusted(list: readonly string[]): IsTrusted {
  const trusted = proxyAddr.compile([...list]);
  return (address) => trusted(address, 0);
}

/**
 * The address of the client: the nearest one, from the socket outwards through `X-Forwarded-For`, that no trusted
 * proxy vouches for. What stands further out was written by the client itself and may be anything.
 *
 * An entry that is no address (`unknown`, a host name) is passed over in favour of the proxy that sent it.
 *
 * @returns in plain form: IPv4 without `::ffff:`, no port, no brackets, no zone; `'unknown'` once the socket is gone
 */
export function clientAddress(req: IncomingMessage, trusted: IsTrusted): string {
  const hops = proxyAddr.all(req, (address) => trusted(plainAddress(address) ?? '')).map(plainAddress);
  return hops.findLast((address) => address !== undefined) ?? 'unknown';
}

/** The form in which an address is compared and shown; `undefined` when the text is no address. */
function plainAddress(text: string | undefined): string | undefined {
  // Some proxies add the port: 192.0.2.1:4711, [2001:db8::1]:4711.
  const bare = text
    ?.replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%[^]*$/, '');
  if (bare === undefined || isIP(bare) === 0) return undefined;
  const groups = isIPv6(bare) ? ipv6Groups(bare) : [];
  const isMapped = groups.length === 8 && groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped
    ? groups
        .slice(6)
        .flatMap((group) => [group >> 8, group & 0xff])
        .join('.')
    : bare.toLowerCase();
}

/**
 * The name under which an address is counted for limits: an IPv4 address is itself, an IPv6 address is its /64, since
 * whoever has one IPv6 address commonly has all 2^64 of that network. `2001:db8::1` becomes `2001:db8:0:0::/64`.
 */
export function addressBucket(ip: string): string {
  const plain = plainAddress(ip) ?? ip;
  if (!isIPv6(plain)) return plain;
  return `${ipv6Groups(plain)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight 16-bit groups of a valid IPv6 address, `::` filled up and a trailing `a.b.c.d` read as two of them. */
function ipv6Groups(address: string): number[] {
  const [head = [], tail] = address.split('::').map(groupsOf);
  if (tail === undefined) return head;
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number];
    return [(a << 8) | b, (c << 8) | d];
  });
}
