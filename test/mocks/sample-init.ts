import type { SampleRequest } from '#openapi/build/sample-request.ts';

export const anyKey = { authorization: 'Bearer any' };
/** Only a session can be ended. */
const anySession = {
  cookie: '__Host-cubby_console=any; __Host-cubby_operator=any',
  'x-cubby-csrf': 'any',
};

/** A form with a file that every upload takes. */
export function form(): FormData {
  const parts = new FormData();
  parts.append('file', new Blob(['x'.repeat(600)], { type: 'application/pdf' }), 'april.pdf');
  return parts;
}

/** Returns the sample as options of fetch, with a credential of the mock. The form names its own boundary. */
export function initOf({ method, target, isAuthenticated, headers, body }: SampleRequest): RequestInit {
  const endsSession = method === 'DELETE' && target.endsWith('/session');
  const sent = { ...headers, ...(isAuthenticated && (endsSession ? anySession : anyKey)) };
  if (!body) return { method, headers: sent };
  if (body.type === 'multipart/form-data') return { method, headers: sent, body: form() };
  if (body.type === 'application/x-www-form-urlencoded')
    return { method, headers: sent, body: new URLSearchParams(body.value as Record<string, string>) };
  const payload = body.value === 'file' ? 'bytes' : JSON.stringify(body.value);
  return { method, headers: { ...sent, 'content-type': body.type }, body: payload };
}
