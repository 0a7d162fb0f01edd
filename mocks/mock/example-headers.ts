import { policies, type OperationId } from '#generated/policies.ts';
import { pageHeaders } from '#server/pages/layout.ts';
import { messagesIn } from '#server/pages/messages/messages.ts';
import { mockConfig } from './settings.ts';

type Headers = Readonly<Record<string, string>>;

/** Headers that the door sets itself, and that describe another response. */
const ofDoor = ['x-request-id', 'content-length', 'access-control-allow-origin', 'ratelimit', 'ratelimit-policy'];

/** Headers that come from the cache of answers. */
const ofCache = ['age', 'cache-status'];

const notSent = new Set([...ofDoor, ...(mockConfig.ai.cache.keptMs === 0 ? ofCache : [])]);

/** Types whose text the server names the encoding of. */
const inUtf8 = new Set(['application/json', 'text/plain', 'text/html']);

/**
 * Returns the headers of an example as the server sends them: those of its pages, and types with their encoding. The
 * contract declares neither.
 *
 * @param headers those of the contract's example, with names in lower case
 */
export function exampleHeaders(id: OperationId, headers: Headers, hasBody: boolean): Record<string, string> {
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !notSent.has(name)));
  const { 'content-type': type, 'set-cookie': cookie, ...others } = sent;
  return {
    ...(hasBody && type !== undefined && { ...headersOfPage(id, type), 'content-type': typed(type) }),
    ...(cookie !== undefined && { 'set-cookie': overHttp(cookie) }),
    ...others,
  };
}

function typed(type: string): string {
  return inUtf8.has(type) ? `${type}; charset=utf-8` : type;
}

function headersOfPage(id: OperationId, type: string): Headers {
  const isPage = type === 'text/html';
  // A receipt is a file for people, sent like a page.
  if (!isPage && type !== 'application/jose') return {};
  const { 'Content-Type': _type, ...own } = pageHeaders;
  const isLocal = isPage && /^\/[rs]\//.test(policies[id].path);
  return {
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value])),
    ...(isLocal && { 'content-language': messagesIn('en').locale, vary: 'Accept, Accept-Language, Cookie' }),
  };
}

/** The mock is at an http address, where the server leaves `Secure` out. A `__Host-` cookie always has it. */
function overHttp(cookie: string): string {
  return cookie.startsWith('__Host-') ? cookie : cookie.replace('; Secure', '');
}
