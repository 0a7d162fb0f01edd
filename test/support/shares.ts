import { shareIdHash } from '#server/features/shares/share-id.ts';
import type { Share } from '#server/features/shares/share.ts';
import { upload, type Upload } from './files.ts';
import type { TestAccount, TestAnswer, TestServer } from './server.ts';

/** Differences from a usual link. */
export interface ShareOptions {
  readonly file?: Upload;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A link and its file. */
export interface TestShare {
  readonly id: string;
  /** Path on the files host. */
  readonly path: string;
  readonly url: string;
  readonly object: string;
}

/** Uploads a file, private by default, and creates a link to it. */
export async function shareFile(
  server: TestServer,
  account: TestAccount,
  { file = {}, body = {} }: ShareOptions = {},
): Promise<TestShare> {
  const uploaded = await upload(server, account, { ...file, query: { private: 'true', ...file.query } });
  return shareObject(server, account, uploaded.json().response.id, body);
}

/** Creates a link to an existing file. */
export async function shareObject(
  server: TestServer,
  account: TestAccount,
  object: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<TestShare> {
  const { id, url } = (await createShare(server, account, { object, ...body })).json().response;
  return { id, path: `/s/${id}`, url, object };
}

/** Requests a link. */
export function createShare(
  server: TestServer,
  { credential }: Pick<TestAccount, 'credential'>,
  body: unknown,
): Promise<TestAnswer> {
  return server.send('/v1/shares', { method: 'POST', credential, body: JSON.stringify(body) });
}

/** Returns the links of an account. */
export async function listShares(server: TestServer, { credential }: Pick<TestAccount, 'credential'>): Promise<any[]> {
  return (await server.send('/v1/shares', { credential })).json().response.shares;
}

/** Returns the number of downloads left of a link in the list. */
export async function remainingOf(
  server: TestServer,
  account: TestAccount,
  { id }: Pick<TestShare, 'id'>,
): Promise<number | null | undefined> {
  return (await listShares(server, account)).find((share) => share.id === id)?.remaining_downloads;
}

/** Returns the hash under which a link is stored. */
export function hashOf(server: TestServer, { id }: Pick<TestShare, 'id'>): string {
  return shareIdHash(server.running.app.stores.secrets, id);
}

/** Returns the stored row of a link. */
export function storedShare(server: TestServer, share: Pick<TestShare, 'id'>): Promise<Share | undefined> {
  return server.running.app.stores.metadata.read.shares.find(hashOf(server, share));
}

/** Opens a link. */
export function openLink(
  server: TestServer,
  { path }: Pick<TestShare, 'path'>,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<TestAnswer> {
  return server.send(path, { door: 'files', method, headers });
}

/** Returns the status of a response, and the code of a refusal. */
export function codeOf(answer: Pick<TestAnswer, 'status' | 'json'>): [number, string | undefined] {
  return [answer.status, answer.status < 400 ? undefined : answer.json().code];
}

/** The Accept header of a browser. */
export const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

/** Sends the form of the password page. */
export function givePassword(
  server: TestServer,
  { path }: Pick<TestShare, 'path'>,
  password: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  return server.send(path, { door: 'files', method: 'POST', headers, body: new URLSearchParams({ password }) });
}

/** Sends the form of the page before a file. */
export function pressDownload(
  server: TestServer,
  { path }: Pick<TestShare, 'path'>,
  headers: Readonly<Record<string, string>> = {},
  fields: Readonly<Record<string, string>> = { download: '1' },
): Promise<TestAnswer> {
  return server.send(path, { door: 'files', method: 'POST', headers, body: new URLSearchParams(fields) });
}
