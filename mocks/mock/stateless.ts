import type { IncomingHttpHeaders } from 'node:http';

import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import type { NewOperatorSession, NewSession } from '#generated/types.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { OperatorCaller } from '#server/domain/operator/operator-key.ts';
import { credentialOf } from '#server/domain/access/credential.ts';
import { credentialPrefixes } from '#server/domain/credential-prefixes.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import { uploadLookup } from '#server/features/uploads/upload-lookup.ts';
import type { KeySecrets, Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { UploadTurns } from '#server/features/uploads/upload-turns.ts';
import { accountHandlers } from '#server/handlers/account.ts';
import { appsHandlers } from '#server/features/apps/handlers/apps.ts';
import { appsOperatorHandlers } from '#server/features/apps/handlers/operator.ts';
import { tokenTargets } from '#server/features/deploys/backends/token-targets.ts';
import { deploysHandlers } from '#server/features/deploys/handlers/apps.ts';
import { networkErrorsHandlers } from '#server/features/edge-errors/handlers/network-errors.ts';
import { chatOperatorHandlers } from '#server/features/chat/handlers/operator.ts';
import { filesOperatorHandlers } from '#server/features/files/handlers/operator.ts';
import { imagesAccountHandlers } from '#server/features/images/handlers/account.ts';
import { presetsSettings } from '#server/features/images/handlers/settings.ts';
import { rulesSettings } from '#server/features/rules/handlers/settings.ts';
import { settingsAccountHandlers } from '#server/features/settings/handlers/account.ts';
import { onlyModel } from '#server/features/chat/chat-models.ts';
import { chatHandlers } from '#server/features/chat/handlers/chat.ts';
import { chunkedHandlers } from '#server/features/uploads/handlers/chunked.ts';
import { deliveryHandlers } from '#server/features/shares/handlers/delivery.ts';
import { deviceHandlers } from '#server/features/devices/handlers/device.ts';
import { allowedAddress, isAllowedUrl } from '#server/backends/webhooks/allowed-address.ts';
import { eventsHandlers } from '#server/features/webhooks/handlers/events.ts';
import { fileRequestsHandlers } from '#server/features/file-requests/handlers/file-requests.ts';
import { foldersHandlers } from '#server/features/folders/handlers/folders.ts';
import { linkHandlers } from '#server/features/files/handlers/links.ts';
import { receiptsHandlers } from '#server/features/files/handlers/receipts.ts';
import { objectsHandlers } from '#server/features/files/handlers/objects.ts';
import { operationsHandlers } from '#server/handlers/operations.ts';
import { operatorHandlers } from '#server/handlers/operator/operator.ts';
import { receivingHandlers } from '#server/features/file-requests/handlers/receiving.ts';
import { s3CredentialsHandlers } from '#server/features/s3/handlers/s3.ts';
import { sessionCookieNames } from '#server/handlers/session-cookies.ts';
import { sessionsHandlers } from '#server/handlers/sessions.ts';
import { sharesHandlers } from '#server/features/shares/handlers/shares.ts';
import { trashHandlers } from '#server/features/trash/handlers/trash.ts';
import { uploadTokensHandlers } from '#server/features/upload-tokens/handlers/upload-tokens.ts';
import { uploadsHandlers } from '#server/features/uploads/handlers/uploads.ts';
import { parseCookies } from '#server/http/cookies.ts';
import { jobs } from '#server/jobs/jobs.ts';
import { systemClock } from '#server/stores/system/clock.ts';
import { randomIds } from '#server/stores/system/ids.ts';
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
function nothingStored<Port>(): Port {
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

const { ai, events } = mockConfig;
const clock = systemClock;
const secrets = mockSecrets;
const core = { metadata: nothingStored<never>(), secrets, ids: randomIds, clock };

/** The model of the contract's examples. */
const exampleModel = onlyModel(nothingStored<never>());

/** The account of the contract's examples, on the highest plan. Every credential belongs to it. */
export const mockAccountId = '204815162342108999';

const account: Caller['account'] = {
  id: mockAccountId,
  name: 'mock',
  plan: 'enterprise',
  createdAt: 0,
  quotaBytes: null,
  aiTokensPerDay: null,
  usedBytes: 0,
  usedObjects: 0,
  reservedBytes: 0,
  inFlightBytes: 0,
  suspendedAt: null,
  deletedAt: null,
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

/** Returns an upload that a request names. The contract's examples name theirs `example-upload-0001`. */
export function mockUpload(caller: Caller, handle: string): UploadLookup {
  if (!/^example-[\w-]+$/.test(handle))
    return uploadLookup({ metadata: nothingStored<never>(), secrets }, caller, handle);
  const find = async (): Promise<never> => {
    throw new NeedsState();
  };
  return { handle, id: () => handle, find, findAgain: find };
}

/** Returns the real handlers of every operation, over stores that hold nothing. */
export function statelessHandlers(url: string) {
  return { ...fileHandlers(url), ...accountParts(url), ...serviceParts(url) };
}

const noFailures = { refuseBlocked: async () => {}, countFailure: async () => {} };

/** Returns the handlers of files, and of what leads to them. */
function fileHandlers(url: string) {
  const ports = {
    ...core,
    blobs: nothingStored<never>(),
    cdn: nothingStored<never>(),
    hashes: nothingStored<never>(),
    hashing: nothingStored<never>(),
    scrypt: nothingStored<never>(),
    publicHost: url,
    filesHost: url,
    noteStored: () => {},
  };
  return {
    ...objectsHandlers({ ...ports, pages: nothingStored<never>() }),
    ...chunkedHandlers({ ...ports, onUnhashed: () => {} }),
    ...uploadsHandlers({ ...ports, turns: new UploadTurns(), onUnhashed: () => {} }),
    ...uploadTokensHandlers(core),
    ...foldersHandlers({ ...ports, onFolderJob: () => {} }),
    ...trashHandlers(ports),
    ...sharesHandlers(ports),
    ...fileRequestsHandlers(ports),
    ...receivingHandlers({
      ...ports,
      tries: nothingStored<never>(),
      turns: new UploadTurns(),
      onUnhashed: () => {},
      onFault: () => {},
    }),
    ...receiptsHandlers(core),
    ...linkHandlers({ ...ports, blobAddresses: undefined, variants: undefined }),
    ...deliveryHandlers({
      ...ports,
      blobAddresses: undefined,
      variants: undefined,
      tries: nothingStored<never>(),
      archives: nothingStored<never>(),
      onFault: () => {},
    }),
  };
}

/** Returns the handlers of accounts, and of who signs in. */
function accountParts(url: string) {
  return {
    ...accountHandlers({ ...core, cache: nothingStored<never>(), models: exampleModel }),
    ...imagesAccountHandlers(core),
    ...settingsAccountHandlers(core, [rulesSettings, presetsSettings]),
    ...eventsHandlers({
      ...core,
      isAllowedUrl: (address) => isAllowedUrl(address, allowedAddress(events.allowPrivate)),
      onDeliveries: () => {},
      eventSignals: { listen: () => () => {} },
      stopping: new AbortController().signal,
    }),
    ...sessionsHandlers({ ...core, ownUrl: url, failures: noFailures, noteUse: () => {} }),
    startSession: async ({ body }: { readonly body: NewSession }) => signInHere(body.api_key, 'apiKey'),
    ...s3CredentialsHandlers({ secrets, s3Host: url }),
    ...deviceHandlers({ ...core, activationUrl: `${url}/activate`, failures: noFailures, noteUse: () => {} }),
    ...operatorHandlers({
      ...core,
      ownUrl: url,
      failures: noFailures,
      blobs: nothingStored<never>(),
      cache: nothingStored<never>(),
      models: exampleModel,
      eventsKeptMs: 0,
      aiRequestsKeptMs: 0,
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
    ...appsOperatorHandlers(core),
    ...chatOperatorHandlers(core),
    ...filesOperatorHandlers(core),
    startOperatorSession: async ({ body }: { readonly body: NewOperatorSession }) =>
      signInHere(body.operator_key, 'operatorKey'),
  };
}

/** Returns the handlers of models, of applications and of the server itself. */
function serviceParts(url: string) {
  return {
    ...chatHandlers({
      ...core,
      reservations: nothingStored<never>(),
      models: exampleModel,
      clientForms: ai.clientForms,
      responses: ai.responses,
      messages: ai.messages,
      embeddings: ai.embeddings && nothingStored<never>(),
      streaming: ai.streaming,
      search: undefined,
      capacity: { maxConcurrent: 1, dailyTokens: 0 },
      deadlineMs: 90_000,
      isStopping: () => false,
      onFault: () => {},
      onTrouble: () => {},
      noteCompletion: () => {},
      noteRequest: () => {},
      requestLogDays: ai.logDays,
    }),
    ...appsHandlers(core),
    ...networkErrorsHandlers({ ...core, breakdowns: nothingStored<never>() }),
    ...deploysHandlers({
      ...core,
      deployments: nothingStored<never>(),
      apiHost: url,
      coalesces: mockConfig.deploys.coalesces,
      isAllowedOrigin: tokenTargets(events.allowPrivate).isAllowedOrigin,
      logs: nothingStored<never>(),
      stopping: new AbortController().signal,
    }),
    ...operationsHandlers({
      isReady: async () => true,
      isFull: () => false,
      areBlobsDown: () => false,
      metrics: nothingStored<never>(),
    }),
  };
}
