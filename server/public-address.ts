import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Addresses that belong to no host of the public network.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * Special parts of 2000::/3: tunnels that carry an IPv4 address, and documentation.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const [notPublic4, notPublic6] = [blockList(special4, 'ipv4'), blockList(special6, 'ipv6')];
const public6 = blockList(['2000::/3'], 'ipv6');

/** IPv6 addresses that carry an IPv4 address in their last four bytes: IPv4-mapped and NAT64 addresses. */
const mapped = blockList(['::ffff:0:0/96', '64:ff9b::/96'], 'ipv6');

function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = '', prefix] = subnet.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

/** Returns whether an IP address belongs to the public network. False for anything else. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic4.check(address);
  // A zone names a network interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false;
  if (mapped.check(address, 'ipv6')) return isPublicAddress(lastFourBytes(address));
  return public6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}

/** Returns the IPv4 address at the end of an IPv6 address. */
function lastFourBytes(address: string): string {
  // URL normalises an address: short, without dots, in hexadecimal.
  const groups = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group || '0', 16));
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}
