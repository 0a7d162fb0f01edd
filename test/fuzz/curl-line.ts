import type { DoorName } from '#server/config/door-names.ts';
import type { FuzzRequest } from './draft.ts';
import { serialise } from './send/serialise.ts';

const most = 3000;

/** Returns a command of a shell that sends the request again. Bytes that no `curl` would send go through `nc`. */
export function curlLine(request: FuzzRequest, urls: Readonly<Record<DoorName, string>>): string {
  const { method, target, headers, body, door, fault, signing, isChunked } = request;
  const { origin, host, hostname, port } = new URL(urls[door]);
  if (fault || signing || isChunked || body?.includes('\0')) {
    const bytes = serialise(request, origin).bytes.toString('latin1');
    return `printf ${quoted(bytes.replaceAll('%', '%%'))} | nc ${hostname} ${port}  # ${host}`;
  }
  const parts = [
    'curl -sg --path-as-is',
    method === 'HEAD' ? '-I' : `-X ${method}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoted(body)}`]),
    quoted(origin + target),
  ];
  return parts.join(' ');
}

/** Quotes a text for bash. */
function quoted(text: string): string {
  const short = text.length > most ? `${text.slice(0, most)}…` : text;
  const escaped = short
    .replace(/[\\']/g, '\\$&')
    .replace(/[^\x20-\x7e]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `$'${escaped}'`;
}
