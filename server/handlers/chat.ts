import type { ChatHandlers } from '#generated/router.ts';
import type { ChatCompletion } from '#generated/types.ts';
import type { Completion } from '#server/domain/chat/completion.ts';
import { createCompletion, type CompletionDeps } from '#server/domain/chat/create-completion.ts';
import type { ChatModel } from '#server/domain/chat/chat-model.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from './call.ts';
import { chatQuotaOf } from './chat-quota.ts';
import { turnOf } from './chat-request.ts';
import type { Ports } from './ports.ts';

interface Deps extends Omit<CompletionDeps, 'model' | 'ids' | 'onUnanswered'>, Pick<Ports, 'ids' | 'clock'> {
  readonly model: ChatModel;
  /** Counts the outcome of a request with a valid body. */
  noteCompletion(outcome: string, completion?: Completion): void;
}

/** The AI gateway's completions. */
export function chatHandlers(deps: Deps): Pick<ChatHandlers<Call>, 'createChatCompletion'> {
  return {
    async createChatCompletion({ body }, { caller: { account }, signal, note }) {
      const turn = turnOf(body);
      const timing = timed(deps.model);
      try {
        const completion = await createCompletion(
          { ...deps, model: timing.model, onUnanswered: (reason) => note({ reason }) },
          { account, quota: chatQuotaOf(account.plan), turn, signal },
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
    },
  };
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
