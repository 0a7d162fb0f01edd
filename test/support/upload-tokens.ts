import { storedRows } from './chosen-store.ts';
import { formWith, someBytes, type Upload } from './files.ts';
import type { TestAccount, TestAnswer, TestServer } from './server.ts';
import type { StoredRow } from './stored.ts';

/** Requests an upload token with the account's key. */
export function mint(
  server: TestServer,
  { credential }: Pick<TestAccount, 'credential'>,
  body: unknown = {},
): Promise<TestAnswer> {
  return server.send('/v1/upload-tokens', { method: 'POST', credential, body: JSON.stringify(body) });
}

/** Mints an upload token of the account. @throws if the response is not 200 */
export async function tokenOf(
  server: TestServer,
  account: Pick<TestAccount, 'credential'>,
  body: unknown = {},
): Promise<string> {
  const answer = await mint(server, account, body);
  if (answer.status !== 200) throw new Error(`No token: ${answer.body}`);
  return answer.json().response.token;
}

/** Uploads a file with a token. `query` replaces the default completely, because a token may pin the name. */
export function uploadWith(
  server: TestServer,
  token: string,
  { bytes = someBytes(), filename, query = { name: 'photo' } }: Upload = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  return server.send(`/v1/objects?${new URLSearchParams(query)}`, {
    method: 'POST',
    credential: token,
    headers,
    body: formWith(bytes, filename),
  });
}

/** Returns the uses that running uploads hold, of all tokens. The server may be running or dead. */
export async function heldUses(dataDir: string): Promise<number> {
  const rows = await storedRows(dataDir);
  try {
    const [{ uses }] = (await rows.all('SELECT coalesce(sum(uses), 0) AS uses FROM reserved_token_uses')) as [
      StoredRow,
    ];
    return Number(uses);
  } finally {
    await rows.close();
  }
}
