import type { OperationId } from '#generated/policies.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import { accountOfExamples, type GeneratedRequest } from './generated-requests.ts';
import type { KnownDifference } from './known-difference.ts';

/** An account of a real server, in which what one request names is made. */
export interface Home {
  readonly server: TestServer;
  readonly account: TestAccount;
  readonly request: GeneratedRequest;
  /** The credential of the request, if it is a valid one. */
  readonly credential: string;
  /** The cookies of a browser, which a maker may set. */
  readonly cookies: Map<string, string>;
  /** What was made so far: the ids of the server, by those of the examples. */
  readonly given: Map<string, string>;
}

/**
 * Makes a thing, and returns the id that the server gave it. Undefined if the server refuses it, or if it is for another
 * maker.
 */
export type Make = (home: Home) => Promise<string | undefined>;

/** What a feature adds to the comparison of the mock with a server: `test/features/<feature>/mocked.ts`. */
export interface Mocked {
  /** By the ids of the contract's examples. Of two for one id, that of the later feature is the first to be called. */
  readonly makers: Readonly<Record<string, Make>>;
  /** Fill the list of an operation with more than one entry. The query is that of the request for the first page. */
  readonly fillLists: Readonly<Partial<Record<OperationId, (home: Home, query: URLSearchParams) => Promise<void>>>>;
  /** Codes for what is not stored. The mock stores nothing, and answers as if everything were. */
  readonly notFound: readonly string[];
  /** Operations with cursors of their own. */
  readonly lists: readonly OperationId[];
  /** Operations whose bytes belong at an offset that only a server knows. */
  readonly atOffsets: readonly OperationId[];
  readonly differences: readonly KnownDifference[];
}

export const lastPart = (url: string | undefined) => url?.split('/').at(-1);

/** Sends a request with JSON, or a GET. Returns its `response`, or undefined for a refusal. */
export async function made({ server, account }: Home, path: string, body?: object): Promise<any> {
  const answer = await server.send(path, {
    credential: account.credential,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return answer.status < 400 ? answer.json().response : undefined;
}

/** Keeps what a browser keeps of an answer. */
export function keepCookies({ cookies }: Home, { headers }: Pick<TestAnswer, 'headers'>): void {
  for (const cookie of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    cookies.set(name, value);
  }
}

/** Returns the id of a file in the account of the examples. */
export const exampleFile = (path: string): string => `prv/${accountOfExamples}/${path}`;

/** Uploads a file so that its id is the given one, or differs from it only in the account and the random hash. */
export async function madeFile({ server, account }: Home, id: string): Promise<string | undefined> {
  const [, space, prefix, name, hash, days, extension] =
    /^(\w+)\/\d+\/(?:(.+)\/)?([^/]+?)(_[a-z0-9]{16})?(?:-ex(\d+))?\.([a-z0-9]+)$/.exec(id) ?? [];
  if (name === undefined) return undefined;
  const query = new URLSearchParams({
    name,
    ...(prefix !== undefined && { prefix }),
    ...(hash !== undefined && { security_hash: 'true' }),
    ...(days !== undefined && { expire: `${days}d` }),
    private: String(space === 'prv'),
  });
  const answer = await server.send(`/v1/objects?${query}`, {
    method: 'POST',
    credential: account.credential,
    body: formWith(someBytes(600), `${name}.${extension}`),
  });
  return answer.status === 200 ? answer.json().response.id : undefined;
}
