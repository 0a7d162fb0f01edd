import type { ChatHandlers } from '#generated/router.ts';
import { openChatModels } from '#server/features/chat/backends/open-chat-models.ts';
import { tracedSearch } from '#server/features/chat/backends/traced-search.ts';
import type { Config } from '../config/config.ts';
import type { Completion } from '#server/features/chat/completion.ts';
import type { ChatReservations } from '#server/features/chat/chat-reservations.ts';
import type { KnownModels } from '#server/domain/access/known-models.ts';
import { knownModels } from '#server/features/chat/known-models.ts';
import { TurnQueue, waking } from '#server/features/chat/turn-queue.ts';
import { completionDeadlineMs } from '../domain/limits.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Ids } from '../domain/ports/ids.ts';
import type { Metadata } from '../domain/ports/metadata.ts';
import type { Secrets } from '../domain/ports/secrets.ts';
import type { Call } from '../handlers/call.ts';
import { chatHandlers } from '#server/features/chat/handlers/chat.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { recordRequests } from './ai-request-log.ts';
import type { CallTracing } from '../telemetry/tracing.ts';
import { MemoryAnswerCache } from '#server/features/chat/stores/memory/answer-cache.ts';
import { MemoryChatReservations } from '#server/features/chat/stores/memory/chat-reservations.ts';
import { watchModels } from './watch-models.ts';

interface Stores {
  readonly metadata: Metadata;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

interface GatewayOptions {
  readonly metrics: Metrics;
  readonly deadlineMs?: number | undefined;
  readonly tracing?: CallTracing | undefined;
  readonly openReservations?: ((metadata: Metadata) => ChatReservations) | undefined;
  /** How often the file of models is looked at. */
  readonly pollModelsMs?: number | undefined;
}

/** The AI gateway of one server. */
export interface ChatGateway {
  readonly handlers: ChatHandlers<Call>;
  readonly models: KnownModels;
  /**
   * Marks the server as stopping. From then on, a request that does not complete was cut off by the server, and is
   * charged nothing.
   */
  beginStop(): void;
  /** Reads the file of models again, if there is one. */
  reload(): void;
  /** Returns the settings that change while the server runs, for the operator. */
  shownSettings(): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens the configured model and web search, and builds the handlers that use them. */
export async function composeChat(
  { ai, searchUrl }: Config,
  stores: Stores,
  log: Log,
  options: GatewayOptions,
): Promise<ChatGateway> {
  const { metrics, tracing, openReservations = (metadata) => new MemoryChatReservations(metadata) } = options;
  const { deadlineMs = completionDeadlineMs } = options;
  const backends = await openBackends({ ai, searchUrl }, stores, log, { ...options, deadlineMs });
  const { opened, embeddings, search, watched } = backends;
  const reservations = openReservations(stores.metadata);
  const queue = turnQueue(ai, reservations, metrics);
  const keepsRequests = ai.logDays > 0;
  const recorded = keepsRequests || ai.cache.keptMs > 0 ? recordRequests(stores, keepsRequests, log) : undefined;
  let isStopping = false;
  return {
    models: knownModels(opened.models, embeddings !== undefined),
    handlers: chatHandlers({
      ...stores,
      requestLogDays: ai.logDays,
      cache: ai.cache.keptMs > 0 ? new MemoryAnswerCache(ai.cache, stores.clock) : undefined,
      reservations: queue ? waking(reservations, queue) : reservations,
      queue,
      models: opened.models,
      clientForms: ai.clientForms,
      responses: ai.responses,
      messages: ai.messages,
      embeddings,
      streaming: ai.streaming,
      search: search && tracing ? tracedSearch(search, tracing) : search,
      capacity: { maxConcurrent: ai.maxConcurrent, dailyTokens: ai.dailyTokens },
      deadlineMs,
      isStopping: () => isStopping,
      onFault: (error) => log.error({ error }, 'fault'),
      onTrouble: (what, figures = {}) => log.warn(figures, what),
      noteCompletion: (outcome, done) => metrics.completionEnded(outcome, done && figuresOf(done)),
      noteRequest(record) {
        metrics.modelRequestEnded(record);
        recorded?.note(record);
      },
    }),
    beginStop() {
      isStopping = true;
      queue?.close();
    },
    reload: () => watched?.reload(),
    shownSettings: () => (watched ? { CUBBY_AI_MODELS_FILE: watched.shown() } : {}),
    async close() {
      await backends.close();
      await recorded?.stop();
    },
  };
}

/** Opens the models, the embeddings and the web search. */
async function openBackends(
  { ai, searchUrl }: Pick<Config, 'ai' | 'searchUrl'>,
  { ids, clock }: Pick<Stores, 'ids' | 'clock'>,
  log: Log,
  { metrics, deadlineMs, tracing, pollModelsMs }: GatewayOptions & { readonly deadlineMs: number },
) {
  const traced = tracing && { tracing };
  const opened = await openChatModels(ai, {
    ...{ ids, clock, log, deadlineMs, tracesContent: ai.tracesContent, ...traced },
    onAttempt: metrics.upstreamTried,
    onForgotten: metrics.upstreamForgotten,
    onUpstreams: metrics.watchUpstreams,
  });
  const embeddings =
    ai.embeddings &&
    (await import('#server/features/chat/backends/embeddings-upstream.ts')).openEmbeddings(ai.embeddings, {
      clock,
      log,
      ...traced,
    });
  const search =
    searchUrl === undefined
      ? undefined
      : (await import('#server/features/chat/backends/searxng.ts')).searxng({ url: searchUrl, log });
  const { modelsFile } = ai;
  const watched =
    modelsFile && opened.replace && watchModels(modelsFile, { log, apply: opened.replace, everyMs: pollModelsMs });
  if (!opened.isDevelopmentResponder)
    log.info(
      {
        upstreams: ai.upstreams.length,
        model_file: ai.modelFile !== undefined,
        ...(modelsFile && { models: opened.models.names() }),
        web_search: search !== undefined,
      },
      'AI gateway',
    );
  return {
    opened,
    embeddings,
    search,
    watched,
    async close() {
      watched?.stop();
      await opened.close();
      await embeddings?.close();
      await search?.close();
    },
  };
}

/** Returns undefined if requests do not wait. */
function turnQueue({ queueMs }: Config['ai'], reservations: ChatReservations, metrics: Metrics): TurnQueue | undefined {
  if (queueMs === 0) return undefined;
  const queue = new TurnQueue({
    waitMs: queueMs,
    isShared: reservations.isShared,
    release: (lease) => reservations.release(lease),
    onWaited: metrics.requestWaited,
  });
  metrics.watchChatQueue(() => queue.waiting);
  return queue;
}

function figuresOf({ isCached, usage, searches }: Completion) {
  return {
    ...(isCached ? { inputTokens: 0, outputTokens: 0 } : usage),
    searchesAnswered: searches.answered,
    searchesFailed: searches.failed,
  };
}
