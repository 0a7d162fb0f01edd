import { features } from '#server/features.ts';
import { composeBodyMemory } from '#server/compose/body-memory.ts';
import { noteKeyUse } from '#server/domain/access/note-key-use.ts';
import { RunningHashCache } from '#server/features/uploads/running-hash.ts';
import { uploadLookup } from '#server/features/uploads/upload-lookup.ts';
import { requestOwner } from '#server/features/file-requests/visit-request.ts';
import { readDownloadLink } from '#server/features/files/download-link.ts';
import { noteOperatorKeyUse } from '#server/domain/operator/note-operator-key-use.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import { shareOwner } from '#server/features/shares/find-share.ts';
import { hashQueue } from '#server/features/shares/hash-queue.ts';
import { authenticateOperation } from '#server/doors/contract/authenticate-operation.ts';
import { operationHandle } from '#server/doors/contract/operation.ts';
import { compileTrusted } from '#server/http/client-address.ts';
import type { AnyCaller } from '#server/pipeline/exchange.ts';
import { pipeline } from '#server/pipeline/pipeline.ts';
import { RequestLimits } from '#server/pipeline/request-limits.ts';
import type { SharedState } from '#server/stores/engine.ts';
import { admissionInSteps } from '#server/stores/memory/admission.ts';
import { MemoryRateLimits } from '#server/stores/memory/rate-limits.ts';
import { MemorySlots } from '#server/stores/memory/slots.ts';
import { validator } from './contract.ts';
import type { Given } from './given.ts';
import { withoutSlash } from './without-slash.ts';

/** Returns the limits of the only server. */
async function limitsInMemory(metadata: Metadata): Promise<Pick<SharedState, 'rates' | 'slots' | 'admission'>> {
  const [rates, slots] = [await MemoryRateLimits.restore({ metadata }), new MemorySlots()];
  return { rates, slots, admission: admissionInSteps(rates, slots) };
}

/** What several doors share. */
export type Shared = Awaited<ReturnType<typeof sharedParts>>;

export async function sharedParts(
  { config, urls, log, stores, metrics, tracing, events, wrapAnswer, slowestBufferedBody, onBodies }: Given,
  scrypt: Scrypt,
) {
  const { metadata, diskSpace, secrets, ids, clock, shared } = stores;
  const limits = new RequestLimits(
    { ...(shared ?? (await limitsInMemory(metadata))), clock },
    config.rateLimits,
    metrics,
  );
  const [noteKey, noteOperator] = [noteKeyUse({ metadata, clock }), noteOperatorKeyUse({ metadata, clock })];
  const noteUse = (caller: AnyCaller): void =>
    void ('operatorKey' in caller ? noteOperator(caller) : noteKey(caller)).catch((error: unknown) =>
      log.error({ error }, 'fault'),
    );
  const hashing = hashQueue();
  metrics.watchQueue('password-hashes', () => hashing.waiting);
  const bodies = composeBodyMemory(config.bodyMemoryBytes, metrics, slowestBufferedBody);
  onBodies?.(bodies);
  const ownOrigins = { console: new URL(urls.api).origin, operator: new URL(urls.operator).origin };
  const realAnswer = pipeline({ limits, diskSpace, noteUse, log, metrics });
  const answer = wrapAnswer?.(realAnswer) ?? realAnswer;
  const handleOf = operationHandle({
    answer,
    authenticate: (...request) => authenticateOperation({ metadata, secrets, clock, ownOrigins }, ...request),
    ownerOf: async (_operationId, { token, share_id: shareId, request_token: link }) => {
      if (token !== undefined) return readDownloadLink({ secrets, clock }, token)?.accountId;
      if (link !== undefined) return requestOwner({ metadata, secrets }, link);
      return shareId === undefined ? undefined : shareOwner({ metadata, secrets, clock }, shareId);
    },
    lookUpUpload: (caller, uploadHandle) => uploadLookup({ metadata, secrets }, caller, uploadHandle),
    validator,
  });
  const scripts = await Promise.all(
    features.map((one) => ('pageScripts' in one ? one.pageScripts() : { pageScripts: [] })),
  );
  return {
    common: {
      pageScripts: scripts.flatMap(({ pageScripts }) => pageScripts),
      log,
      metrics,
      tracing,
      isTrustedProxy: compileTrusted(config.trustedProxies),
      docsUrl: withoutSlash(urls.api),
      bodies,
      noteTraffic: events.noteTraffic,
    },
    core: { metadata, secrets, ids, clock },
    limits,
    noteUse,
    answer,
    handleOf,
    scrypt,
    hashing,
    hashes: new RunningHashCache(),
  };
}
