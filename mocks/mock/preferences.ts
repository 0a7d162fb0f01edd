import type { IncomingMessage } from 'node:http';

import { parseQuery } from '#server/http/query.ts';

/** What a request asks the mock for, with `Prefer` or in its query. */
export interface Preferences {
  readonly status?: number;
  /** The name of an example. The name of an error's example is its code. */
  readonly example?: string;
  /** Whether the body is made from the schema with random values. */
  readonly isDynamic?: boolean;
  readonly waitMs?: number;
}

/** A preference that the mock cannot meet. Its message says what is possible. */
export class UnmetPreference extends Error {}

/** The longest wait. A longer one would look like a mock that hangs. */
const maxWaitMs = 30_000;

const names = ['code', 'example', 'dynamic', 'wait'] as const;

type Name = (typeof names)[number];

/**
 * Reads `Prefer: code=409, example=NAME, dynamic=true, wait=1.5`, or `__code`, `__example`, `__dynamic` and `__wait` of
 * the query. The header wins. Other preferences mean something to other servers, so they are ignored.
 *
 * @throws {UnmetPreference} for a value that cannot be read
 * @see RFC 7240, section 2
 */
export function preferencesOf({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): Preferences {
  const header = [headers.prefer ?? []].flat().join(',');
  const given = header.trim() === '' ? inQuery(url) : inHeader(header);
  const code = given.get('code');
  const example = given.get('example');
  const dynamic = given.get('dynamic');
  const wait = given.get('wait');
  if (dynamic !== undefined && dynamic !== 'true' && dynamic !== 'false')
    throw new UnmetPreference(`"dynamic" must be true or false. Got "${dynamic}".`);
  // An error is known by its name alone.
  const named = code !== undefined && /^[a-z_]+$/i.test(code) ? code : undefined;
  return {
    ...(code !== undefined && named === undefined && { status: statusOf(code) }),
    ...((example ?? named) !== undefined && { example: example ?? named! }),
    ...(dynamic === 'true' && { isDynamic: true }),
    ...(wait !== undefined && { waitMs: waitMsOf(wait) }),
  };
}

function inQuery(url: string): Map<Name, string> {
  const query = parseQuery(url);
  return new Map(
    names.flatMap((name) => {
      const value = query.get(`__${name}`)?.at(-1);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** "If any preference is specified more than once, only the first instance is to be considered." */
function inHeader(header: string): Map<Name, string> {
  const given = new Map<Name, string>();
  for (const [, token = '', quoted, bare] of header.matchAll(/([\w-]+)\s*(?:=\s*(?:"([^"]*)"|([^\s,;"]*)))?[^,]*/g)) {
    const name = names.find((one) => one === token.toLowerCase());
    if (name !== undefined && !given.has(name)) given.set(name, quoted ?? bare ?? '');
  }
  return given;
}

function statusOf(code: string): number {
  if (!/^[1-5]\d\d$/.test(code))
    throw new UnmetPreference(`"code" must be a status such as 409, or the code of an error. Got "${code}".`);
  return Number(code);
}

function waitMsOf(wait: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(wait) ?? [];
  if (number === undefined)
    throw new UnmetPreference(`"wait" must be a number of seconds such as 1.5, or 250ms. Got "${wait}".`);
  return Math.min(maxWaitMs, Math.round(Number(number) * (unit === 'ms' ? 1 : 1000)));
}
