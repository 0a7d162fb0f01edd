import type { RequestListener } from 'node:http';

/** Scheme and authority of a target in absolute-form. */
const AUTHORITY = /^https?:\/\/[^/?#]*/i;

/**
 * Hands requests on with a target in origin-form. "A server MUST accept the absolute-form in requests" (RFC 9112
 * section 3.2.2), and frameworks that parse one answer a broken one themselves, past the application. Whoever needs
 * the host of an absolute target reads it before.
 */
export function inOriginForm(listener: RequestListener): RequestListener {
  return (req, res) => {
    const path = (req.url ?? '').replace(AUTHORITY, '');
    req.url = path.startsWith('/') ? path : `/${path}`;
    return listener(req, res);
  };
}
