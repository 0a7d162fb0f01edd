import type { IncomingMessage, RequestListener } from 'node:http';

import { plainHost, withoutPort } from './known-host.ts';

/**
 * Serves several hosts on one port: passes each request to the handler of its host.
 *
 * @param handlers by host name, with a port (`files.example.com:8443`, only that port) or without one (any port)
 * @param fallback for hosts that are not listed, and for requests without one
 */
export function hostChoice(handlers: ReadonlyMap<string, RequestListener>, fallback: RequestListener): RequestListener {
  const byHost = new Map([...handlers].map(([host, handler]) => [plainHost(host), handler]));
  return (req, res) => {
    const host = plainHost(requestedHost(req));
    const handler = byHost.get(host) ?? byHost.get(withoutPort(host)) ?? fallback;
    return handler(req, res);
  };
}

/**
 * "When an origin server receives a request with an absolute-form of request-target, the origin server MUST ignore
 * the received Host header field (if any) and instead use the host information of the request-target" (RFC 9112 3.2.2).
 */
function requestedHost(req: IncomingMessage): string {
  return /^https?:\/\/([^/?#]*)/i.exec(req.url ?? '')?.[1] ?? req.headers.host ?? '';
}
