import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Prepare } from './middleware.ts';

/** The version of tus that is spoken. */
export const tusVersion = '1.0.0';

/** The version of the IETF draft whose interim responses are sent (draft-ietf-httpbis-resumable-upload, appendix B). */
const draftVersion = '8';

/** The facts that both protocols announce. */
interface UploadLimits {
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** The algorithms of `Upload-Checksum`. tus demands `sha1`. */
export const uploadChecksums = ['sha1', 'sha256', 'sha512', 'md5'] as const;

/** Response headers of both protocols, for scripts of other origins. */
export const uploadResponseHeaders: readonly string[] = [
  'Upload-Offset',
  'Upload-Length',
  'Upload-Defer-Length',
  'Upload-Complete',
  'Upload-Expires',
  'Upload-Limit',
  'Upload-Metadata',
  'Upload-Concat',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Checksum-Algorithm',
  'X-Cubby-Object',
  'X-Cubby-Url',
];

/** Whether a request speaks tus. Its core protocol demands this header of each request but OPTIONS. */
export function speaksTus(req: IncomingMessage): boolean {
  return req.headers['tus-resumable'] !== undefined;
}

/**
 * Returns what sets the headers that both upload protocols demand of every response under `path`, errors and preflights
 * too. It also reads the method that a client without PATCH and DELETE sends in a header.
 */
export function uploadProtocols(path: string, { minBytes, maxBytes }: UploadLimits): Prepare {
  const limit = `max-size=${maxBytes}, min-size=${minBytes}`;
  return (req, res) => {
    if (!isUnder(path, req.url ?? '')) return;
    if (req.method === 'OPTIONS') {
      res.setHeader('Tus-Version', tusVersion);
      res.setHeader('Tus-Resumable', tusVersion);
      res.setHeader('Tus-Max-Size', String(maxBytes));
      res.setHeader(
        'Tus-Extension',
        'creation,creation-defer-length,creation-with-upload,expiration,checksum,termination,concatenation',
      );
      res.setHeader('Tus-Checksum-Algorithm', uploadChecksums.join(','));
      // "the server MUST include the Accept-Patch header field in the response" to OPTIONS (draft, section 4.1.4).
      res.setHeader('Accept-Patch', 'application/partial-upload, application/offset+octet-stream');
      res.setHeader('Upload-Limit', limit);
      return;
    }
    if (speaksTus(req)) {
      // "The Tus-Resumable header MUST be included in every request and response" (tus 1.0, core protocol).
      res.setHeader('Tus-Resumable', tusVersion);
      if (req.headers['tus-resumable'] !== tusVersion) res.setHeader('Tus-Version', tusVersion);
      overrideMethod(req);
    } else if (req.headers['content-type'] === 'application/offset+octet-stream') {
      res.setHeader('Tus-Version', tusVersion);
      // "A server responding with a 413 as a result of its upload limits MUST include the Upload-Limit header".
    } else res.setHeader('Upload-Limit', limit);
  };
}

function isUnder(path: string, url: string): boolean {
  return url.startsWith(path) && /^[/?]|^$/.test(url.slice(path.length));
}

/** "The actual method of the request MUST be ignored" (tus 1.0, X-HTTP-Method-Override). */
function overrideMethod(req: IncomingMessage): void {
  const method = req.headers['x-http-method-override'];
  if (req.method === 'POST' && typeof method === 'string' && /^(?:PATCH|DELETE|HEAD)$/.test(method))
    req.method = method;
}

/**
 * Sends an interim response 104 of the IETF draft. Does nothing for a client that does not speak the same version of
 * the draft, or once the response has begun.
 */
export function sendResumption(
  req: IncomingMessage,
  res: ServerResponse,
  headers: Readonly<Record<string, string>>,
): void {
  // "MUST NOT send a 104 informational response when the interop version […] is missing or mismatching".
  if (req.headers['upload-draft-interop-version'] !== draftVersion || req.httpVersion !== '1.1') return;
  // A pipelined request has no socket until the responses before it are sent.
  if (res.headersSent || !res.socket?.writable) return;
  const lines = Object.entries({ ...headers, 'Upload-Draft-Interop-Version': draftVersion });
  res.socket.write(
    `HTTP/1.1 104 Upload Resumption Supported\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
}
