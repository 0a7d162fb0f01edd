import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6, type Socket } from 'node:net';

import proxyAddr from 'proxy-addr';

/** Returns whether an address is that of a trusted proxy, whose `X-Forwarded-For` counts. */
export type IsTrusted = (address: string) => boolean;

/**
 * Compiles a list of trusted proxies: addresses (`10.0.0.1`), networks (`10.0.0.0/8`, `fd00::/8`) and the names
 * `loopback`, `linklocal` and `uniquelocal`. An empty list trusts no proxy.
 *
 * @throws {TypeError} for any other entry
 */
export function compileTrusted(list: readonly string[]): IsTrusted {
  const trusted = proxyAddr.compile([...list]);
  return (address) => trusted(address, 0);
}

/**
 * Returns the address of the client: the first one, from the socket outwards through `X-Forwarded-For`, that is not a
 * trusted proxy. Entries beyond it may be forged by the client.
 *
 * An entry that is not an address (`unknown`, a host name) is skipped. The proxy that sent it counts instead.
 *
 * @returns in plain form: IPv4 without `::ffff:`, no port, no brackets, no zone; `'unknown'` once the socket is closed
 */
export function clientAddress(req: IncomingMessage, trusted: IsTrusted): string {
  if (req.headers['x-forwarded-for'] === undefined) return socketAddress(req.socket) ?? 'unknown';
  const hops = proxyAddr.all(req, (address) => trusted(plainAddress(address) ?? '')).map(plainAddress);
  return hops.findLast((address) => address !== undefined) ?? 'unknown';
}

/** The requests of a connection share its address, so it is normalised once. */
const socketAddresses = new WeakMap<Socket, string>();

function socketAddress(socket: Socket): string | undefined {
  const known = socketAddresses.get(socket);
  if (known !== undefined) return known;
  const address = plainAddress(socket.remoteAddress);
  if (address !== undefined) socketAddresses.set(socket, address);
  return address;
}

/** Normalises an address for comparison and display; `undefined` if the text is not an address. */
function plainAddress(text: string | undefined): string | undefined {
  // Some proxies add the port: 192.0.2.1:4711, [2001:db8::1]:4711.
  const bare = text
    ?.replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%[^]*$/, '');
  if (bare === undefined || isIP(bare) === 0) return undefined;
  if (!isIPv6(bare)) return bare;
  const groups = ipv6Groups(bare);
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:65535';
  if (!isMapped) return bare.toLowerCase();
  const lastTwo = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
  return lastTwo.join('.');
}

/**
 * Returns the name under which limits count an address. An IPv4 address counts itself. An IPv6 address counts as its
 * /64, because a client usually has all 2^64 addresses of that network: `2001:db8::1` becomes `2001:db8:0:0::/64`.
 */
export function addressBucket(ip: string): string {
  if (!ip.includes(':')) return ip;
  const plain = plainAddress(ip) ?? ip;
  if (!isIPv6(plain)) return plain;
  const network = ipv6Groups(plain).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

/** Returns the eight 16-bit groups of a valid IPv6 address. Fills up `::`. A trailing `a.b.c.d` makes two groups. */
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
