import { planLimits } from '#generated/policies.ts';
import type { ChatHandlers, CreateChatCompletionReply, CreateEmbeddingsReply } from '#generated/router.ts';
import type { ChatModel as ChatModelEntry, ChatUsage as WireUsage, EmbeddingRequest } from '#generated/types.ts';
import { chatErrorOf } from '#server/domain/chat/chat-error.ts';
import type { ChatModel } from '#server/domain/chat/chat-model.ts';
import type { ChatQuota } from '#server/domain/chat/chat-quota.ts';
import { chatUsage, type ChatWindow, type ChatWindows } from '#server/domain/chat/chat-usage.ts';
import type { Completion } from '#server/domain/chat/completion.ts';
import {
  createCompletion,
  streamCompletion,
  type AskedTurn,
  type CompletionDelta,
  type CompletionDeps,
  type CompletionRequest,
} from '#server/domain/chat/create-completion.ts';
import { createEmbeddings } from '#server/domain/chat/create-embeddings.ts';
import type { EmbeddingModel } from '#server/domain/chat/embedding-model.ts';
import type { Plan } from '#server/domain/plan.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from './call.ts';
import { ChatChunks } from './chat-chunks.ts';
import { turnOf } from './chat-request.ts';
import type { ClientForms } from './client-forms.ts';
import { wireCompletion } from './chat-wire.ts';
import { EmbeddingWriter, embeddingsName, inputsOf } from './embeddings.ts';
import { openDeltaStream, type DeltaWriter } from './delta-stream.ts';
import type { Ports } from './ports.ts';
import { timestamp } from './wire.ts';

interface Deps
  extends
    Omit<CompletionDeps, 'model' | 'ids' | 'metadata' | 'onUnanswered' | 'onCharged'>,
    Pick<Ports, 'clock' | 'ids' | 'metadata'> {
  readonly model: ChatModel;
  readonly clientForms: ClientForms;
  /** Undefined when the operator has named none. */
  readonly embeddings: EmbeddingModel | undefined;
  readonly streaming: StreamingConfig;
  /** Counts the outcome of a request with a valid body. */
  noteCompletion(outcome: string, completion?: Completion): void;
}

/** Whether answers may be streamed, and how. */
export interface StreamingConfig {
  readonly isOn: boolean;
  /** How long nothing may come before a comment keeps the connection open; null without comments. */
  readonly keepAliveMs: number | null;
}

/**
 * 1 January 2026, in seconds. The lists of chat clients need a date, and nobody knows that of the model behind the
 * name.
 */
const modelCreated = 1_767_225_600;

/** Returns the handlers of the AI gateway: its completions, its models, and the usage of its limits. */
export function chatHandlers(deps: Deps): ChatHandlers<Call> {
  return {
    async createChatCompletion({ body }, call) {
      const turn = turnOf(body, deps.clientForms);
      if (body.stream !== true) return complete(deps, turn, call);
      if (!deps.streaming.isOn) throw new Refusal('stream_not_supported');
      return stream(deps, turn, body.stream_options?.include_usage === true, call);
    },

    async createEmbeddings({ body }, call) {
      return embed(deps, body, call);
    },

    async listModels() {
      return { status: 200, body: { object: 'list', data: modelsOf(deps) } };
    },

    async getModel({ path }) {
      const model = modelsOf(deps).find(({ id }) => id === path.model);
      if (!model) throw new Refusal('model_not_found');
      return { status: 200, body: model };
    },

    async getChatUsage(_input, { caller: { account } }) {
      const { requests, tokens, spend } = await chatUsage(deps, account, quotaOf(account.plan));
      return {
        status: 200,
        body: { requests: wireUsage(requests), tokens: wireUsage(tokens), spend: wireUsage(spend) },
      };
    },
  };
}

function modelsOf({ embeddings }: Pick<Deps, 'embeddings'>): ChatModelEntry[] {
  const ids = embeddings ? (['cubic', embeddingsName] as const) : (['cubic'] as const);
  return ids.map((id) => ({ id, object: 'model', created: modelCreated, owned_by: 'cubby' }));
}

/** Turns texts into vectors, and notes the figures for the log and the metrics. */
async function embed(
  deps: Deps,
  body: EmbeddingRequest,
  { caller: { account }, signal, note }: Call,
): Promise<CreateEmbeddingsReply> {
  const writer = new EmbeddingWriter(body.encoding_format);
  const usage = await createEmbeddings(
    { ...deps, onUnanswered: (reason) => note({ reason }) },
    {
      account,
      quota: quotaOf(account.plan),
      inputs: inputsOf(body.input),
      dimensions: body.dimensions ?? undefined,
      signal,
      take: (vectors) => writer.add(vectors),
    },
  );
  note({ input_tokens: usage.inputTokens });
  return { status: 200, body: writer.end(usage.inputTokens) };
}

/** The quotas of the contract. A field that the contract lacks, or names in another way, does not compile here. */
const quotas: Readonly<Partial<Record<Plan, ChatQuota>>> = planLimits.createChatCompletion;

/** Returns the quota of a plan in the AI gateway. Plans without one are refused before this. */
function quotaOf(plan: Plan): ChatQuota {
  const quota = quotas[plan];
  if (!quota) throw new Error(`The contract gives the plan ${plan} no limits for the AI gateway.`);
  return quota;
}

/** Completes a turn, and notes its figures for the log and the metrics. */
async function complete(deps: Deps, turn: AskedTurn, call: Call): Promise<CreateChatCompletionReply> {
  const asking = askingOf(deps, turn, call);
  let completion: Completion | undefined;
  try {
    completion = await createCompletion(asking.deps, asking.request);
    noteAnswer(call, completion);
    return { status: 200, body: wireCompletion(completion, headOf(deps)), ...headersOf(deps) };
  } catch (error) {
    asking.failed(error);
    throw error;
  } finally {
    asking.ended(completion);
  }
}

/** Streams the answer to a turn. */
async function stream(
  deps: Deps,
  turn: AskedTurn,
  includesUsage: boolean,
  call: Call,
): Promise<CreateChatCompletionReply> {
  const chunks = new ChatChunks({ ...headOf(deps), includesUsage });
  const writer: DeltaWriter<CompletionDelta> = {
    begin: () => chunks.begin(),
    write: (delta) => chunks.write(delta),
    failed: (error) => `data: ${JSON.stringify({ error: chatErrorOf(error) })}\n\n`,
  };
  const deltas = notedDeltas(askingOf(deps, turn, call), call);
  return { status: 200, body: await openDeltaStream(deltas, writer, deps.streaming), ...headersOf(deps) };
}

async function* notedDeltas(asking: Asking, call: Call): AsyncGenerator<CompletionDelta, void> {
  let completion: Completion | undefined;
  try {
    for await (const delta of streamCompletion(asking.deps, asking.request)) {
      if (delta.type === 'end') {
        ({ completion } = delta);
        noteAnswer(call, completion);
      }
      yield delta;
    }
  } catch (error) {
    asking.failed(error);
    throw error;
  } finally {
    asking.ended(completion);
  }
}

/** One request to the model. */
interface Asking {
  readonly deps: CompletionDeps;
  readonly request: CompletionRequest;
  failed(error: unknown): void;
  /** Called once, also after a failure. */
  ended(completion: Completion | undefined): void;
}

function askingOf(deps: Deps, turn: AskedTurn, { caller: { account }, signal, note }: Call): Asking {
  const timing = timed(deps.model);
  let outcome = 'aborted';
  return {
    deps: {
      ...deps,
      model: timing.model,
      onUnanswered: (reason) => note({ reason }),
      onCharged: ({ inputTokens, outputTokens }) => note({ input_tokens: inputTokens, output_tokens: outputTokens }),
    },
    request: { account, quota: quotaOf(account.plan), turn, signal },
    failed: (error) => void (outcome = error instanceof Refusal ? error.code : signal.aborted ? 'aborted' : 'fault'),
    ended(completion) {
      note({ model_ms: Math.round(timing.totalMs() * 10) / 10 });
      deps.noteCompletion(completion ? 'answered' : outcome, completion);
    },
  };
}

function noteAnswer({ note }: Call, { usage, rounds, searches }: Completion): void {
  note({
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    model_rounds: rounds,
    searches: searches.answered + searches.failed,
    ...(usage.isEstimated && { usage_estimated: true }),
  });
}

function headOf({ ids, clock }: Pick<Deps, 'ids' | 'clock'>) {
  return { id: `chatcmpl-${ids.opaqueId()}`, created: Math.floor(clock.now() / 1000) };
}

function headersOf({ model }: Pick<Deps, 'model'>) {
  return model.isDevelopmentResponder ? { headers: { 'X-Cubby-Responder': 'development' } } : {};
}

/** Wraps the model to measure the total time of its calls. */
function timed(model: ChatModel): { readonly model: CompletionDeps['model']; totalMs(): number } {
  let totalMs = 0;
  async function measured<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      totalMs += performance.now() - startedAt;
    }
  }
  return {
    model: {
      complete: (...asked) => measured(() => model.complete(...asked)),
      async *stream(...asked) {
        const deltas = model.stream(...asked);
        try {
          for (;;) {
            const next = await measured(() => deltas.next());
            if (next.done) return;
            yield next.value;
          }
        } finally {
          await deltas.return();
        }
      },
    },
    totalMs: () => totalMs,
  };
}

function wireUsage({ today, week }: ChatWindows): WireUsage {
  return { today: wireWindow(today), week: wireWindow(week) };
}

function wireWindow({ used, limit, resetsAt }: ChatWindow): WireUsage['today'] {
  return { used, limit, resets_at: timestamp(resetsAt) };
}
