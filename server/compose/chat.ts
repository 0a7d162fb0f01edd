import type { ChatHandlers } from '#generated/router.ts';
import { openChatModels } from '../backends/chat/open-chat-models.ts';
import { tracedSearch } from '../backends/traced-search.ts';
import type { Config } from '../config/config.ts';
import type { ChatReservations } from '../domain/chat/chat-reservations.ts';
import { knownModels, type KnownModels } from '../domain/chat/known-models.ts';
import { TurnQueue, waking } from '../domain/chat/turn-queue.ts';
import { completionDeadlineMs } from '../domain/limits.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Ids } from '../domain/ports/ids.ts';
import type { Metadata } from '../domain/ports/metadata.ts';
import type { Secrets } from '../domain/ports/secrets.ts';
import type { Call } from '../handlers/call.ts';
import { chatHandlers } from '../handlers/chat.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { recordRequests } from './ai-request-log.ts';
import type { CallTracing } from '../telemetry/tracing.ts';
import { MemoryAnswerCache } from '../stores/memory/answer-cache.ts';
import { MemoryChatReservations } from '../stores/memory/chat-reservations.ts';
import { watchModels } from './watch-models.ts';

interface Stores {
  readonly metadata: Metadata;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

interface GatewayOptions {
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
  { metadata, ids, clock, secrets }: Stores,
  log: Log,
  metrics: Metrics,
  {
    deadlineMs = completionDeadlineMs,
    tracing,
    openReservations = (metadata) => new MemoryChatReservations(metadata),
    pollModelsMs,
  }: GatewayOptions = {},
): Promise<ChatGateway> {
  const opened = await openChatModels(ai, {
    ids,
    clock,
    log,
    deadlineMs,
    onAttempt: metrics.upstreamTried,
    onForgotten: metrics.upstreamForgotten,
    onUpstreams: metrics.watchUpstreams,
    tracesContent: ai.tracesContent,
    ...(tracing && { tracing }),
  });
  const embeddings =
    ai.embeddings &&
    (await import('../backends/chat/embeddings-upstream.ts')).openEmbeddings(ai.embeddings, {
      clock,
      log,
      ...(tracing && { tracing }),
    });
  const search =
    searchUrl === undefined ? undefined : (await import('../backends/searxng.ts')).searxng({ url: searchUrl, log });
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
  const held = openReservations(metadata);
  const queue =
    ai.queueMs === 0
      ? undefined
      : new TurnQueue({
          waitMs: ai.queueMs,
          isShared: held.isShared,
          release: (lease) => held.release(lease),
          onWaited: metrics.requestWaited,
        });
  if (queue) metrics.watchChatQueue(() => queue.waiting);
  const keepsRequests = ai.logDays > 0;
  const recorded =
    keepsRequests || ai.cache.keptMs > 0 ? recordRequests({ metadata, ids }, keepsRequests, log) : undefined;
  let isStopping = false;
  const onFault = (error: unknown) => log.error({ error }, 'fault');
  return {
    models: knownModels(opened.models, embeddings !== undefined),
    handlers: chatHandlers({
      metadata,
      ids,
      clock,
      secrets,
      requestLogDays: ai.logDays,
      cache: ai.cache.keptMs > 0 ? new MemoryAnswerCache(ai.cache, clock) : undefined,
      reservations: queue ? waking(held, queue) : held,
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
      onFault,
      onTrouble: (what, figures = {}) => log.warn(figures, what),
      noteCompletion: (outcome, done) =>
        metrics.completionEnded(
          outcome,
          done && {
            ...(done.isCached ? { inputTokens: 0, outputTokens: 0 } : done.usage),
            searchesAnswered: done.searches.answered,
            searchesFailed: done.searches.failed,
          },
        ),
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
      watched?.stop();
      await opened.close();
      await embeddings?.close();
      await search?.close();
      await recorded?.stop();
    },
  };
}
