import type { Given } from '#server/compose/given.ts';
import type { Config } from '#server/config/config.ts';
import type { ConfiguredModels } from './config/models.ts';
import { amountOfCost } from '#server/domain/money.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import type { Metrics } from '#server/metrics.ts';
import { openChatModels } from './backends/open-chat-models.ts';
import { PdfProcesses } from './backends/pdf/pdf-processes.ts';
import { recordRequests } from './backends/record-requests.ts';
import { tracedSearch } from './backends/traced-search.ts';
import { watchModels } from './backends/watch-models.ts';
import type { ChatReservations } from './reservations/chat-reservations.ts';
import { CountsAtOnce } from './tokens/counts-at-once.ts';
import type { Completion } from './completion/completion.ts';
import { apiPart } from './handlers/api-part.ts';
import { chatHandlers } from './handlers/chat.ts';
import { chatOperatorHandlers } from './handlers/operator.ts';
import { knownModels } from './models/known-models.ts';
import { pricesOfTokens } from './prices/model-prices.ts';
import { startLine } from './backends/start-line.ts';
import { MemoryAnswerCache } from './stores/memory/answer-cache.ts';
import { openChatReservations } from './stores/open-reservations.ts';
import { redactingEmbeddings, redactingModels } from './backends/redacting-models.ts';
import { Redactor } from './backends/redactor.ts';
import { maxWaitingWithin, TurnQueue, waking } from './reservations/turn-queue.ts';

declare module '#server/compose/overrides.ts' {
  interface Overrides {
    /** The time limit for a whole response of the AI gateway. */
    readonly completionDeadlineMs?: number;
    /** Counts of tokens that one account may have at once. */
    readonly countsAtOnce?: number;
    /** How often the file of models is looked at. */
    readonly pollModelsMs?: number;
    /** Opens the store that holds capacity for the requests of the AI gateway. */
    readonly chatReservations?: (metadata: Metadata) => ChatReservations;
  }
}

/** The longest time for a request to the AI gateway. */
export const completionDeadlineMs = 90_000;

/** Opens the configured models and web search, and builds the handlers that use them. */
export async function serve(given: Given) {
  const { config, urls, stores, metrics, overrides, log } = given;
  const { ai } = config;
  const { completionDeadlineMs: deadlineMs = completionDeadlineMs, tracing } = overrides;
  const backends = await openBackends(given, deadlineMs);
  const { models, embeddings, search, watched } = backends;
  const { metadata, shared } = stores;
  const reservations = overrides.chatReservations?.(metadata) ?? (await openChatReservations(shared, metadata));
  const queue = turnQueue(config, reservations, metrics);
  const keepsRequests = ai.logDays > 0;
  const recorded = keepsRequests || ai.cache.keptMs > 0 ? recordRequests(stores, keepsRequests, log) : undefined;
  const pdfs = new PdfProcesses();
  let isStopping = false;
  return {
    startLine: startLine(ai, urls),
    firstStep: (curl: string) =>
      `# ask the AI gateway; without a model (docs/ai/running.md) a development responder answers
  ${curl} -d '{"messages":[{"role":"user","content":"What is an ETag?"}]}' "${urls.api}/v2/ai/chat/completions"`,
    apiPart,
    ports: { models: knownModels(models, embeddings !== undefined) },
    handlers: () => ({
      ...chatOperatorHandlers({ ...stores, currency: backends.currency }),
      ...chatHandlers({
        ...stores,
        pdfs,
        requestLogDays: ai.logDays,
        cache: ai.cache.keptMs > 0 ? new MemoryAnswerCache(ai.cache, stores.clock) : undefined,
        reservations: queue ? waking(reservations, queue) : reservations,
        queue,
        models,
        limitsOfPlans: backends.limitsOfPlans,
        currency: backends.currency,
        embeddingPrices: backends.embeddingPrices,
        queueMs: ai.queueMs,
        clientForms: ai.clientForms,
        responses: ai.responses,
        messages: ai.messages,
        embeddings,
        streaming: ai.streaming,
        search: search && tracing ? tracedSearch(search, tracing) : search,
        capacity: { maxConcurrent: ai.maxConcurrent, dailyTokens: ai.dailyTokens },
        counts: new CountsAtOnce(overrides.countsAtOnce),
        deadlineMs,
        isStopping: () => isStopping,
        onLeftOut: (list, requestId) =>
          log.debug({ request_id: requestId, left_out: list }, 'the AI gateway left out parts of a request'),
        onFault: (error) => log.error({ error }, 'fault'),
        onTrouble: (what, figures = {}) => log.warn(figures, what),
        noteCompletion: (outcome, done) => metrics.completionEnded(outcome, done && figuresOf(done)),
        noteRequest(record) {
          metrics.modelRequestEnded({ ...record, cost: amountOfCost(record.cost) });
          recorded?.note(record);
        },
      }),
    }),
    // From then on, a request that does not complete was cut off by the server, and is charged nothing.
    beginStop() {
      isStopping = true;
      queue?.close();
    },
    reload: () => watched?.reload(),
    shownSettings: () => (watched ? { CUBBY_AI_MODELS_FILE: watched.shown() } : {}),
    work: {
      begin: backends.begin,
      async stop() {
        await using stopping = new AsyncDisposableStack();
        stopping.defer(() => recorded?.stop());
        stopping.defer(() => backends.close());
        pdfs.close();
      },
    },
  };
}

/** Opens the models, the embeddings and the web search. */
async function openBackends({ config: { ai, searchUrl }, stores, metrics, overrides, log }: Given, deadlineMs: number) {
  const { ids, clock, secrets } = stores;
  const { tracing, pollModelsMs } = overrides;
  const traced = tracing && { tracing };
  const opened = await openChatModels(ai, {
    ...{ ids, clock, secrets, log, deadlineMs, tracesContent: ai.tracesContent, ...traced },
    onAttempt: metrics.upstreamTried,
    onForgotten: metrics.upstreamForgotten,
    onUpstreams: metrics.watchUpstreams,
  });
  const embeddings =
    ai.embeddings &&
    (await import('./backends/embeddings-upstream.ts')).openEmbeddings(ai.embeddings, { clock, log, ...traced });
  const search =
    searchUrl === undefined ? undefined : (await import('./backends/searxng.ts')).searxng({ url: searchUrl, log });
  const { modelsFile } = ai;
  let inForce: Pick<ConfiguredModels, 'plans' | 'currency' | 'embeddingPrices'> = modelsFile?.models ?? { plans: {} };
  let redactor = new Redactor(modelsFile?.models.redactions ?? []);
  const { replace } = opened;
  const apply = (models: ConfiguredModels) => {
    inForce = models;
    void redactor.close();
    redactor = new Redactor(models.redactions);
    replace?.(models);
  };
  const watched = modelsFile && replace && watchModels(modelsFile, { log, apply, everyMs: pollModelsMs });
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
    models: redactingModels(opened.models, () => redactor),
    embeddings: embeddings && redactingEmbeddings(embeddings, () => redactor),
    search,
    watched,
    limitsOfPlans: () => inForce.plans,
    currency: () => inForce.currency,
    embeddingPrices: () => inForce.embeddingPrices && pricesOfTokens(inForce.embeddingPrices),
    begin() {
      opened.begin();
      watched?.begin();
    },
    async close() {
      await using closing = new AsyncDisposableStack();
      closing.defer(() => redactor.close());
      closing.defer(() => search?.close());
      closing.defer(() => embeddings?.close());
      closing.defer(() => opened.close());
      watched?.stop();
    },
  };
}

/** Returns undefined if requests do not wait. */
function turnQueue(
  { ai: { queueMs }, bodyMemoryBytes }: Pick<Config, 'ai' | 'bodyMemoryBytes'>,
  reservations: ChatReservations,
  metrics: Metrics,
): TurnQueue | undefined {
  const waitMs = Math.max(queueMs.chat, queueMs.agents);
  if (waitMs === 0) return undefined;
  const queue = new TurnQueue({
    waitMs,
    maxWaiting: maxWaitingWithin(bodyMemoryBytes),
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
