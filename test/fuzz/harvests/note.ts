import type { Exchanged } from '../exchanged.ts';
import type { World } from '../world.ts';

/** Remembers of a success what later requests can build on. */
export type Harvest = (world: World, exchanged: Exchanged) => void;

/** Returns path and query of an address. */
export function targetOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

export function noteObject(world: World, { id, url, etag }: { id?: unknown; url?: unknown; etag?: unknown }): void {
  world.pool.add('object', id);
  if (typeof id === 'string' && id.startsWith('pub/')) world.pool.add('publicPath', targetOf(url));
  if (typeof etag === 'string') world.pool.add('etag', `"${etag}"`);
  world.pool.add('s3File', s3Name(id));
}

/** Returns the bucket and the key of a file. */
export function s3Name(id: unknown): string | undefined {
  const [, space, key] = /^(pub|prv)\/\d+\/(.*)$/s.exec(String(id)) ?? [];
  return key === undefined ? undefined : `${space === 'pub' ? 'public' : 'private'}/${key}`;
}

export const bodyOf = ({ request }: Exchanged): any => {
  try {
    return JSON.parse(Buffer.from(request.body ?? '', 'latin1').toString());
  } catch {
    return {};
  }
};

export const cursor =
  (kind: string, isShared = false): Harvest =>
  (world, { json }) =>
    (isShared ? world.shared : world.pool).add(kind, json.response.continuationToken);

export const sent = ({ request }: Exchanged, header: string) => request.headers.find(([name]) => name === header)?.[1];

/** Remembers the cookies and the form of a page. */
export function notePage({ browser }: World, { answer }: Exchanged): void {
  for (const line of answer.cookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') browser.cookies.delete(name);
    else browser.cookies.set(name, value);
  }
  browser.isSignedIn = browser.cookies.has('cubby_session');
  browser.formToken = /name="form_token" value="([^"]*)"/.exec(answer.body.toString())?.[1];
  browser.reviewed = /name="user_code" value="([^"]+)" \/>/.exec(answer.body.toString())?.[1];
}
