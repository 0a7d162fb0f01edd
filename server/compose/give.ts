import { noteKeyUse } from '#server/domain/access/note-key-use.ts';
import { noteOperatorKeyUse } from '#server/domain/operator/note-operator-key-use.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { hashQueue } from '#server/domain/hash-queue.ts';
import { compileTrusted } from '#server/http/client-address.ts';
import type { AnyCaller } from '#server/pipeline/exchange.ts';
import { pipeline } from '#server/pipeline/pipeline.ts';
import { RequestLimits } from '#server/pipeline/request-limits.ts';
import type { SharedState } from '#server/stores/engine.ts';
import { admissionInSteps } from '#server/stores/memory/admission.ts';
import { MemoryRateLimits } from '#server/stores/memory/rate-limits.ts';
import { MemorySlots } from '#server/stores/memory/slots.ts';
import { scryptThreads } from '#server/stores/system/scrypt-threads.ts';
import { composeBodyMemory } from './body-memory.ts';
import type { Given } from './given.ts';
import { countTraffic } from './traffic.ts';
import { withoutSlash } from './without-slash.ts';

/** What a server is opened with. */
type Opened = Pick<Given, 'config' | 'urls' | 'log' | 'stores' | 'releases' | 'metrics' | 'overrides'>;

/** What features and doors are built of, and how it ends. */
interface Giving {
  readonly given: Given;
  /** Ends the streams of responses. Clients connect again, elsewhere or after the start. */
  beginStop(): void;
  /** Ends long background work. It is waited for elsewhere. */
  abort(): void;
  /** Ends what responses need, once all are finished. */
  close(): Promise<void>;
}

/** Builds what all features and doors share. */
export async function give(opened: Opened): Promise<Giving> {
  const { config, urls, log, stores, metrics, overrides } = opened;
  const { metadata, diskSpace, secrets, ids, clock, shared } = stores;
  const limits = new RequestLimits(
    { ...(shared ?? (await limitsInMemory(metadata))), clock },
    config.rateLimits,
    metrics,
  );
  const noteUse = useNoting(opened);
  const hashing = hashQueue();
  metrics.watchQueue('password-hashes', () => hashing.waiting);
  const bodies = composeBodyMemory(config.bodyMemoryBytes, metrics, overrides.slowestBufferedBody);
  overrides.onBodies?.(bodies);
  const answer = pipeline({ limits, diskSpace, noteUse, log, metrics });
  const { scrypt, close } = scryptThreads();
  const traffic = countTraffic(stores, log);
  const [stopping, streamsEnd] = [new AbortController(), new AbortController()];
  const given: Given = {
    ...opened,
    signal: stopping.signal,
    streamsEnd: streamsEnd.signal,
    core: { metadata, secrets, ids, clock },
    common: {
      log,
      metrics,
      tracing: overrides.tracing,
      isTrustedProxy: compileTrusted(config.trustedProxies),
      docsUrl: withoutSlash(urls.api),
      bodies,
      noteTraffic: traffic.note,
    },
    limits,
    answer: overrides.answer?.(answer) ?? answer,
    noteUse,
    scrypt: overrides.scrypt?.(scrypt) ?? scrypt,
    hashing,
  };
  return {
    given,
    beginStop() {
      limits.beginStop();
      streamsEnd.abort();
    },
    abort: () => stopping.abort(),
    async close() {
      await using closing = new AsyncDisposableStack();
      closing.defer(() => traffic.stop());
      await close();
    },
  };
}

/** Returns the limits of the only server. */
async function limitsInMemory(metadata: Metadata): Promise<Pick<SharedState, 'rates' | 'slots' | 'admission'>> {
  const [rates, slots] = [await MemoryRateLimits.restore({ metadata }), new MemorySlots()];
  return { rates, slots, admission: admissionInSteps(rates, slots) };
}

/** Returns what notes the last use of a key. No response waits for it. */
function useNoting({ stores, log }: Opened): Given['noteUse'] {
  const [noteKey, noteOperator] = [noteKeyUse(stores), noteOperatorKeyUse(stores)];
  return (caller: AnyCaller) =>
    void ('operatorKey' in caller ? noteOperator(caller) : noteKey(caller)).catch((error: unknown) =>
      log.error({ error }, 'fault'),
    );
}
