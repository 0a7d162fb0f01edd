import type { IncomingHttpHeaders } from 'node:http';

import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import type { Handlers } from '#generated/router.ts';
import type { NewOperatorSession, NewSession } from '#generated/types.ts';
import type { Given } from '#server/compose/given.ts';
import { handlersOf, portsOf } from '#server/compose/serve-features.ts';
import type { Ports, Served } from '#server/compose/served.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { noModels } from '#server/domain/access/known-models.ts';
import type { OperatorCaller } from '#server/domain/operator/operator-key.ts';
import { credentialOf } from '#server/domain/access/credential.ts';
import { credentialPrefixes } from '#server/domain/credential-prefixes.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import type { KeySecrets, Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import { accountHandlers } from '#server/handlers/account.ts';
import { operationsHandlers } from '#server/handlers/operations.ts';
import { operatorHandlers } from '#server/handlers/operator/operator.ts';
import { sessionCookieNames } from '#server/handlers/session-cookies.ts';
import { sessionsHandlers } from '#server/handlers/sessions.ts';
import { parseCookies } from '#server/http/cookies.ts';
import { jobs } from '#server/jobs/jobs.ts';
import { jobSettingsOf } from '#server/stores/job-settings.ts';
import { mockConfig } from './settings.ts';

/*
 * The checks of the real handlers that need nothing stored. The handlers run over stores that throw at their first use.
 * Everything that the server refuses before it looks something up is refused here by the same code.
 */

/** Thrown where a handler first needs something that a server has stored. */
export class NeedsState extends Error {
  constructor() {
    super('A mock stores nothing.');
    this.name = 'NeedsState';
  }
}

/** Signs in with a key. Every text with the prefix of one is valid, also that of the examples. */
function signInHere(key: string, kind: 'apiKey' | 'operatorKey'): never {
  throw key.startsWith(credentialPrefixes[kind]) ? new NeedsState() : new Refusal('ACCESS_DENIED');
}

/** Returns a store whose every call throws {@link NeedsState}. */
export function nothingStored<Port>(): Port {
  const anything: unknown = new Proxy(() => {}, {
    // A promise resolves with it, so it must not look like a promise itself.
    get: (_target, name) => (name === 'then' || typeof name === 'symbol' ? undefined : anything),
    apply: () => {
      throw new NeedsState();
    },
  });
  return anything as Port;
}

/** The signature of everything that is signed in the contract's examples. */
const signatureOfExamples = 'example-signature';

/** A mock has no master key. It knows the cursors and upload strings that it sends: those of the examples. */
const mockKey: KeySecrets = {
  keyNumber: 1,
  credentialHash: () => new Uint8Array(32),
  sign: () => signatureOfExamples,
  verify: (_purpose, _text, signature) => signature === signatureOfExamples,
  signAsymmetric: () => Buffer.from(signatureOfExamples),
  publicKey: () => new Uint8Array(32),
  seal: (_purpose, text) => text,
  unseal: (_purpose, sealed) => sealed,
};

export const mockSecrets: Secrets = { ...mockKey, finders: () => [mockKey], signers: () => [mockKey] };

/** The account of the contract's examples, on the highest plan. Every credential belongs to it. */
export const mockAccountId = '204815162342108999';

const account: Caller['account'] = {
  id: mockAccountId,
  name: 'mock',
  plan: 'enterprise',
  createdAt: 0,
  quotaBytes: null,
  aiTokensPerDay: null,
  aiLimits: null,
  usedBytes: 0,
  usedObjects: 0,
  reservedBytes: 0,
  inFlightBytes: 0,
  suspendedAt: null,
  deletedAt: null,
  keepDeletedDays: null,
  revision: 0,
};

const key: Caller['key'] = {
  id: 'mock'.padEnd(26, 'a'),
  accountId: mockAccountId,
  name: 'mock',
  scopes: ['*'],
  resources: null,
  prefixes: null,
  ai: null,
  createdAt: 0,
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  last4: 'mock',
  s3Salt: 'mock',
  s3Check: null,
  s3Sealed: signatureOfExamples,
};

const operatorKey: OperatorCaller['operatorKey'] = {
  id: 'operator'.padEnd(26, 'a'),
  name: 'mock',
  createdAt: 0,
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  last4: 'mock',
};

const session: NonNullable<Caller['session']> = {
  id: 'ses_example01',
  accountId: mockAccountId,
  keyId: key.id,
  createdAt: 0,
  lastUsedAt: 0,
  expiresAt: Number.MAX_SAFE_INTEGER,
  sourceIp: '127.0.0.1',
  userAgent: null,
};

const token: NonNullable<Caller['token']> = {
  id: 'token'.padEnd(26, 'a'),
  accountId: mockAccountId,
  keyId: key.id,
  pins: {},
  createdAt: 0,
  expiresAt: Number.MAX_SAFE_INTEGER,
  endedAt: null,
  maxUses: 1,
  usesLeft: 1,
};

/**
 * Returns the caller of an operation. Every credential is valid. One that begins like an upload token is an upload
 * token without pins.
 *
 * @throws ACCESS_DENIED without a credential
 */
export function mockCaller(
  { authorization, cookie, 'x-cubby-csrf': csrfToken }: IncomingHttpHeaders,
  policy: OperationPolicy,
): Caller | OperatorCaller {
  const session = authorization === undefined ? mockSession(cookie, csrfToken, policy) : undefined;
  if (session) return session;
  const credential = credentialOf(authorization);
  if (credential === undefined || /^bearer$/i.test(credential)) {
    const isSession = policy.credentials.includes('session') && authorization === undefined;
    if (!isSession || !parseCookies(cookie).has('cubby_session')) throw new Refusal('ACCESS_DENIED');
    return { account, key, isSession };
  }
  if (policy.credentials.includes('operatorKey')) {
    const { apiKey, uploadToken } = credentialPrefixes;
    if (credential.startsWith(apiKey) || credential.startsWith(uploadToken)) throw new Refusal('ACCESS_DENIED');
    return { operatorKey, secret: { hash: mockKey.credentialHash('') } };
  }
  return credential.startsWith(credentialPrefixes.uploadToken) ? { account, key, token } : { account, key };
}

/**
 * Returns the caller of a browser's session: any value of its cookie is one. Undefined without the cookie.
 *
 * @throws CSRF_TOKEN_INVALID when the method needs the token and there is none
 */
function mockSession(
  cookie: string | undefined,
  csrfToken: unknown,
  { credentials, method }: OperationPolicy,
): Caller | OperatorCaller | undefined {
  const kind = credentials.includes('consoleSession') ? 'console' : 'operator';
  if (!credentials.includes(`${kind}Session`) || !parseCookies(cookie).has(sessionCookieNames[kind])) return undefined;
  if (method !== 'get' && !csrfToken) throw new Refusal('CSRF_TOKEN_INVALID');
  return kind === 'console' ? { account, key, isSession: true, session } : { operatorKey, session };
}

/**
 * Returns an upload that a request names. The contract's examples name theirs `example-upload-0001`.
 *
 * @param lookUp that of the server
 */
export function mockUpload(lookUp: Served['lookUpUpload'], caller: Caller, handle: string): UploadLookup {
  if (lookUp && !/^example-[\w-]+$/.test(handle)) return lookUp(caller, handle);
  const find = async (): Promise<never> => {
    throw new NeedsState();
  };
  return { handle, id: () => handle, find, findAgain: find };
}

/** Returns the real handlers of every operation, over stores that hold nothing. */
export function statelessHandlers(given: Given, served: readonly Served[]): Partial<Handlers<Call>> {
  const ports = portsOf(served);
  return { ...handlersOf(served, ports), ...coreHandlers(given, ports) };
}

/** Returns the handlers that need no feature. Here any key signs in, and the server is ready. */
function coreHandlers({ core, urls, limits, noteUse }: Given, { models = noModels }: Ports) {
  return {
    ...accountHandlers({ ...core, cache: nothingStored<never>(), models }),
    ...sessionsHandlers({ ...core, ownUrl: urls.api, failures: limits, noteUse }),
    startSession: async ({ body }: { readonly body: NewSession }) => signInHere(body.api_key, 'apiKey'),
    ...operatorHandlers({
      ...core,
      ownUrl: urls.operator,
      failures: limits,
      blobs: nothingStored<never>(),
      cache: nothingStored<never>(),
      models,
      eventsKeptMs: 0,
      ...jobSettingsOf(mockConfig),
      diskSpace: nothingStored<never>(),
      places: nothingStored<never>(),
      replicas: nothingStored<never>(),
      version: 'mock',
      settings: nothingStored<never>(),
      backups: nothingStored<never>(),
      jobs,
      requestedJobs: nothingStored<never>(),
      onScrubStarted: nothingStored<never>(),
      readClock: nothingStored<never>(),
    }),
    startOperatorSession: async ({ body }: { readonly body: NewOperatorSession }) =>
      signInHere(body.operator_key, 'operatorKey'),
    ...operationsHandlers({
      isReady: async () => true,
      isFull: () => false,
      areBlobsDown: () => false,
      metrics: nothingStored<never>(),
    }),
  };
}
