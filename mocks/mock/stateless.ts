import type { IncomingHttpHeaders } from 'node:http';

import type { OperationId, OperationPolicy } from '#generated/policies.ts';
import type { Operation, Reply } from '#generated/router.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { credentialOf } from '#server/domain/access/credential.ts';
import { credentialPrefixes } from '#server/domain/credential-prefixes.ts';
import { uploadLookup, type UploadLookup } from '#server/domain/chunked/upload-lookup.ts';
import { maxPartBytes, maxUploadBytes, minUploadBytes } from '#server/domain/limits.ts';
import type { Secrets } from '#server/domain/ports/secrets.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { accountHandlers } from '#server/handlers/account.ts';
import { appsHandlers } from '#server/handlers/apps.ts';
import type { Call } from '#server/handlers/call.ts';
import { chatHandlers } from '#server/handlers/chat.ts';
import { chunkedHandlers } from '#server/handlers/chunked.ts';
import { deliveryHandlers } from '#server/handlers/delivery.ts';
import { deviceHandlers } from '#server/handlers/device.ts';
import { readDelivery } from '#server/handlers/git/read-delivery.ts';
import { objectsHandlers } from '#server/handlers/objects.ts';
import { operationsHandlers } from '#server/handlers/operations.ts';
import { s3CredentialsHandlers } from '#server/handlers/s3.ts';
import { sharesHandlers } from '#server/handlers/shares.ts';
import { uploadTokensHandlers } from '#server/handlers/upload-tokens.ts';
import { parseCookies } from '#server/http/cookies.ts';
import { systemClock } from '#server/stores/system/clock.ts';
import { randomIds } from '#server/stores/system/ids.ts';
import { Measure } from './measure.ts';

/*
 * The checks of the real handlers that need nothing stored. The handlers run over stores that throw at their first use.
 * Everything that the server refuses before it looks something up is refused here by the same code.
 */

/** Thrown where a handler first needs something that a server has stored. */
class NeedsState extends Error {
  constructor() {
    super('A mock stores nothing.');
    this.name = 'NeedsState';
  }
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

/** A mock has no master key. Texts that a server has signed are valid if they have the right form. */
const secrets: Secrets = {
  credentialHash: () => new Uint8Array(32),
  sign: () => 'A'.repeat(43),
  verify: (_purpose, _text, signature) => signature !== '',
  seal: (_purpose, text) => text,
  unseal: (_purpose, sealed) => sealed,
};

const clock = systemClock;
const core = { metadata: nothingStored<never>(), secrets, ids: randomIds, clock };

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
  revision: 0,
};

const key: Caller['key'] = {
  id: 'mock'.padEnd(26, 'a'),
  accountId: mockAccountId,
  name: 'mock',
  scopes: ['*'],
  resources: null,
  prefixes: null,
  createdAt: 0,
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  last4: 'mock',
  s3Salt: 'mock',
  s3Check: null,
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
 * Returns the caller of an operation. Every credential is valid. One that begins like an upload token is an upload token
 * without pins.
 *
 * @throws ACCESS_DENIED without a credential
 */
export function mockCaller({ authorization, cookie }: IncomingHttpHeaders, policy: OperationPolicy): Caller {
  const credential = credentialOf(authorization);
  if (credential === undefined || /^bearer$/i.test(credential)) {
    const isSession = policy.credentials.includes('session') && authorization === undefined;
    if (!isSession || !parseCookies(cookie).has('cubby_session')) throw new Refusal('ACCESS_DENIED');
    return { account, key, isSession };
  }
  return credential.startsWith(credentialPrefixes.uploadToken) ? { account, key, token } : { account, key };
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
  const noFailures = { refuseBlocked: async () => {}, countFailure: async () => {} };
  return {
    objects: objectsHandlers({ ...ports, pages: nothingStored<never>() }),
    chunked: chunkedHandlers({ ...ports, onUnhashed: () => {} }),
    uploadTokens: uploadTokensHandlers(core),
    shares: sharesHandlers(ports),
    account: accountHandlers({ ...core, cache: nothingStored<never>() }),
    s3: s3CredentialsHandlers({ secrets, s3Host: url }),
    chat: chatHandlers({
      ...core,
      reservations: nothingStored<never>(),
      model: nothingStored<never>(),
      search: undefined,
      capacity: { maxConcurrent: 1, dailyTokens: 0 },
      deadlineMs: 90_000,
      isStopping: () => false,
      onFault: () => {},
      onTrouble: () => {},
      noteCompletion: () => {},
    }),
    apps: appsHandlers({
      ...core,
      deployments: nothingStored<never>(),
      breakdowns: nothingStored<never>(),
      apiHost: url,
    }),
    device: deviceHandlers({ ...core, activationUrl: `${url}/activate`, failures: noFailures, noteUse: () => {} }),
    operations: operationsHandlers({ isReady: async () => true, isFull: () => false, metrics: nothingStored<never>() }),
    delivery: deliveryHandlers({
      ...ports,
      tries: nothingStored<never>(),
      onFault: () => {},
    }),
  };
}

/** The operations of links and pages. A mock knows no link, session or form, so each of them leads somewhere. */
const unchecked: ReadonlySet<OperationId> = new Set<OperationId>([
  'openDownloadLink',
  'openShare',
  'submitSharePassword',
  'showActivationPage',
  'submitActivation',
]);

/** The checks that the server makes after its first look-up, because they read the body. */
const lateChecks: { readonly [id in OperationId]?: (command: never, call: Call) => Promise<void> } = {
  async uploadObject({ checksumSha256 }: { readonly checksumSha256: string | undefined }, { file }) {
    const received = await Measure.of(file.bytes, maxUploadBytes, 'FILE_TOO_LARGE');
    if (received.sizeBytes < minUploadBytes)
      throw new Refusal('FILE_TOO_SMALL', { detail: `Got ${received.sizeBytes}.` });
    received.requireSha256(checksumSha256);
  },
  async putChunkedPart({ checksumSha256 }: { readonly checksumSha256: string | undefined }, { bytes }) {
    const received = await Measure.of(bytes.bytes, maxPartBytes, 'CHUNK_TOO_LARGE');
    if (received.sizeBytes === 0) throw new Refusal('EMPTY_CHUNK');
    received.requireSha256(checksumSha256);
  },
  async receiveGitPush(_command, { raw }) {
    await readDelivery(raw, undefined, clock.now());
  },
};

/** The operations that read their body after a look-up, so that the real one reads nothing here. */
export async function checkStateless(
  id: OperationId,
  operation: Operation<never, Call, Reply>,
  command: never,
  call: Call,
): Promise<void> {
  if (unchecked.has(id)) return;
  // An upload looks at the account first, then at the bytes, which it would put into a store.
  if (id !== 'uploadObject')
    try {
      await (typeof operation === 'function' ? operation(command, call) : operation.run(command, call));
    } catch (error) {
      if (!(error instanceof NeedsState)) throw error;
    }
  await lateChecks[id]?.(command, call);
}
