import { planLimits } from '#generated/policies.ts';
import type { ChatHandlers, CreateChatCompletionReply } from '#generated/router.ts';
import type { ChatCompletion, ChatUsage as WireUsage } from '#generated/types.ts';
import type { ChatModel } from '#server/domain/chat/chat-model.ts';
import type { ChatQuota } from '#server/domain/chat/chat-quota.ts';
import { chatUsage, type ChatWindow, type ChatWindows } from '#server/domain/chat/chat-usage.ts';
import type { Completion } from '#server/domain/chat/completion.ts';
import { createCompletion, type AskedTurn, type CompletionDeps } from '#server/domain/chat/create-completion.ts';
import type { Plan } from '#server/domain/plan.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from './call.ts';
import { turnOf } from './chat-request.ts';
import type { Ports } from './ports.ts';
import { timestamp } from './wire.ts';

interface Deps
  extends
    Omit<CompletionDeps, 'model' | 'ids' | 'metadata' | 'onUnanswered'>,
    Pick<Ports, 'clock' | 'ids' | 'metadata'> {
  readonly model: ChatModel;
  /** Counts the outcome of a request with a valid body. */
  noteCompletion(outcome: string, completion?: Completion): void;
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
      return complete(deps, turnOf(body), call);
    },

    async listModels() {
      return {
        status: 200,
        body: { object: 'list', data: [{ id: 'cubic', object: 'model', created: modelCreated, owned_by: 'cubby' }] },
      };
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

/** The quotas of the contract. A field that the contract lacks, or names in another way, does not compile here. */
const quotas: Readonly<Partial<Record<Plan, ChatQuota>>> = planLimits.createChatCompletion;

/** Returns the quota of a plan in the AI gateway. Plans without one are refused before this. */
function quotaOf(plan: Plan): ChatQuota {
  const quota = quotas[plan];
  if (!quota) throw new Error(`The contract gives the plan ${plan} no limits for the AI gateway.`);
  return quota;
}

/** Completes a turn, and notes its figures for the log and the metrics. */
async function complete(
  deps: Deps,
  turn: AskedTurn,
  { caller: { account }, signal, note }: Call,
): Promise<CreateChatCompletionReply> {
  const timing = timed(deps.model);
  try {
    const completion = await createCompletion(
      { ...deps, model: timing.model, onUnanswered: (reason) => note({ reason }) },
      { account, quota: quotaOf(account.plan), turn, signal },
    );
    const { usage, rounds, searches } = completion;
    note({
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      model_rounds: rounds,
      searches: searches.answered + searches.failed,
      ...(usage.isEstimated && { usage_estimated: true }),
    });
    deps.noteCompletion('answered', completion);
    return {
      status: 200,
      body: wireOf(completion, deps),
      ...(deps.model.isDevelopmentResponder && { headers: { 'X-Cubby-Responder': 'development' } }),
    };
  } catch (error) {
    deps.noteCompletion(error instanceof Refusal ? error.code : signal.aborted ? 'aborted' : 'fault');
    throw error;
  } finally {
    note({ model_ms: Math.round(timing.totalMs() * 10) / 10 });
  }
}

/** Wraps the model to measure the total time of its calls. */
function timed(model: ChatModel): { readonly model: Pick<ChatModel, 'complete'>; totalMs(): number } {
  let totalMs = 0;
  return {
    model: {
      async complete(turn, signal, onBegun) {
        const startedAt = performance.now();
        try {
          return await model.complete(turn, signal, onBegun);
        } finally {
          totalMs += performance.now() - startedAt;
        }
      },
    },
    totalMs: () => totalMs,
  };
}

function wireOf(
  { text, toolCalls, finishReason, usage, citations }: Completion,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
): ChatCompletion {
  const calls = toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: text },
  }));
  const annotations = citations?.map(({ url, title, startIndex, endIndex }) => ({
    type: 'url_citation' as const,
    url_citation: { url, title, start_index: startIndex, end_index: endIndex },
  }));
  return {
    id: `chatcmpl-${ids.opaqueId()}`,
    object: 'chat.completion',
    created: Math.floor(clock.now() / 1000),
    model: 'cubic',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          ...(calls.length > 0 && { tool_calls: calls }),
          ...(annotations && { annotations }),
        },
        finish_reason: finishReason,
      },
    ],
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  };
}

function wireUsage({ today, week }: ChatWindows): WireUsage {
  return { today: wireWindow(today), week: wireWindow(week) };
}

function wireWindow({ used, limit, resetsAt }: ChatWindow): WireUsage['today'] {
  return { used, limit, resets_at: timestamp(resetsAt) };
}
