import type { RequestListener } from 'node:http';

/** Scheme and authority of a request target in absolute-form. */
const AUTHORITY = /^https?:\/\/[^/?#]*/i;

/**
 * Passes requests on with a target in origin-form, which drops the host of an absolute one. "A server MUST accept the
 * absolute-form in requests" (RFC 9112 section 3.2.2). A framework would respond to a broken target itself, without the
 * application.
 */
export function inOriginForm(listener: RequestListener): RequestListener {
  return (req, res) => {
    const path = (req.url ?? '').replace(AUTHORITY, '');
    req.url = path.startsWith('/') ? path : `/${path}`;
    return listener(req, res);
  };
}
