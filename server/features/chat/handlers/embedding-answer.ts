import type { CreateEmbeddingsReply } from '#generated/router.ts';
import type { EmbeddingRequest } from '#generated/types.ts';
import { requireModel } from '../models/allowed-model.ts';
import type { CallerRequest } from '../models/chat-model.ts';
import type { ChatModels } from '../models/chat-models.ts';
import { createEmbeddings, type EmbeddingOutcome } from '../create-embeddings.ts';
import { embeddingsName, type EmbeddingModel } from '../models/embedding-model.ts';
import type { ModelPrices } from '../prices/model-prices.ts';
import { ModelRequestRecord } from './model-request-record.ts';
import { cacheHeadersOf, cacheWishOf } from './cache-headers.ts';
import type { Call } from '#server/handlers/call.ts';
import type { AnswerDeps } from './chat-answer.ts';
import { budgetAnnouncer, type BudgetAnnouncer } from './chat-budgets.ts';
import { quotaOf } from './chat-quotas.ts';
import { EmbeddingWriter, inputsOf } from './embeddings.ts';

interface Deps extends Omit<AnswerDeps, 'model' | 'streaming' | 'noteCompletion'> {
  readonly models: ChatModels;
  /** Returns the prices of the embeddings model now. */
  embeddingPrices(): ModelPrices | undefined;
  /** Undefined when the operator has named none. */
  readonly embeddings: EmbeddingModel | undefined;
}

/** Turns texts into vectors, and notes the figures for the log and the metrics. */
export async function answerEmbeddings(deps: Deps, body: EmbeddingRequest, call: Call): Promise<CreateEmbeddingsReply> {
  const writer = new EmbeddingWriter(body.encoding_format);
  const prices = deps.embeddingPrices();
  const head = { operation: 'embeddings' as const, model: embeddingsName, prices, isStreamed: false };
  const record = new ModelRequestRecord(call, head, deps.clock);
  const budgets = budgetAnnouncer(call, deps.clock);
  try {
    const { usage, isCached } = await embed(deps, body, call, { prices, record, writer, budgets });
    record.answered(usage);
    call.note({ input_tokens: isCached ? 0 : usage.inputTokens });
    const headers = cacheHeadersOf(record.cache);
    return { status: 200, body: writer.end(usage.inputTokens), ...(record.cache && { headers }) };
  } catch (error) {
    record.failed(error);
    throw error;
  } finally {
    budgets.announce();
    const ended = record.end();
    // Without a model no request reaches one.
    if (deps.embeddings) deps.noteRequest(ended);
  }
}

interface Answering {
  readonly prices: ModelPrices | undefined;
  readonly record: ModelRequestRecord;
  readonly writer: EmbeddingWriter;
  readonly budgets: BudgetAnnouncer;
}

function embed(
  deps: Deps,
  body: EmbeddingRequest,
  call: Call,
  { prices, record, writer, budgets }: Answering,
): Promise<EmbeddingOutcome> {
  const { caller, signal, note, cacheControl } = call;
  const { account, key } = caller;
  const inputs = inputsOf(body.input);
  if (deps.embeddings) requireModel(deps.models, key.ai, embeddingsName);
  return createEmbeddings(
    {
      ...deps,
      embeddings: deps.embeddings && knowing(deps.embeddings, record),
      onBudgets: budgets.left,
      onUnanswered: (reason) => note({ reason }),
      onCharged: (usage) => record.charged(usage),
      onCache: (outcome) => record.cached(outcome),
    },
    {
      account,
      keyId: key.id,
      keyLimits: key.ai,
      model: embeddingsName,
      prices,
      quota: quotaOf(account, deps.limitsOfPlans()),
      inputs,
      dimensions: body.dimensions ?? undefined,
      cacheWish: cacheWishOf(cacheControl),
      signal,
      queueMs: deps.queueMs.chat,
      take: (vectors) => writer.add(vectors),
    },
  );
}

/** Tells the model which request it answers. */
function knowing(model: EmbeddingModel, by: CallerRequest): EmbeddingModel {
  return {
    batchSize: model.batchSize,
    embed: (request, signal, onBegun) => model.embed(request, signal, onBegun, by),
    close: () => model.close(),
  };
}
