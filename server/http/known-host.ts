import { isIP } from 'node:net';

/** Returns a host in the form for comparisons: host names ignore case, and `example.com.` is `example.com`. */
export function plainHost(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/\.(?=$|:\d*$)/, '');
}

/** Returns a host without its port, if it has one. */
export function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '');
}

/**
 * Returns whether a host is one of the server's own. A page on the internet can point its own name to this machine and
 * would then be a page of the server's origin. It can do so with a name only, so an IP address is always known. So is
 * a request without a host, which no browser sends. Ports are ignored: a tunnel may lead from any.
 *
 * @param names lower case, without ports
 */
export function isKnownHost(host: string, names: ReadonlySet<string>): boolean {
  const name = withoutPort(plainHost(host));
  if (name === '' || name === 'localhost' || name.endsWith('.localhost')) return true;
  return names.has(name) || isIP(name) === 4 || (/^\[.*\]$/.test(name) && isIP(name.slice(1, -1)) === 6);
}
