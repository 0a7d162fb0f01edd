import type { ChatCompletion, ChatUrlCitation } from '#generated/types.ts';
import type { Completion } from '../completion/completion.ts';
import type { TokenUsage } from '../conversation/conversation.ts';
import { wireSealed } from '../conversation/sealed.ts';

/** Returns the tokens of an answer as chat clients read them. */
export function wireTokens(usage: TokenUsage): ChatCompletion['usage'] {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedInputTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedInputTokens } }),
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}

/** Returns the citations of an answer; undefined if it cites nothing. */
export function wireAnnotations({ citations }: Pick<Completion, 'citations'>): ChatUrlCitation[] | undefined {
  return citations?.map(({ url, title, startIndex, endIndex }) => ({
    type: 'url_citation',
    url_citation: { url, title, start_index: startIndex, end_index: endIndex },
  }));
}

/** The fields around an answer. */
export interface CompletionHead {
  readonly id: string;
  /** In seconds since the epoch. */
  readonly created: number;
  readonly model: string;
  /** Whether the answer has the model's thoughts and the sealed parts, in the fields of its server. */
  readonly includesReasoning: boolean;
}

/** Returns an answer as one body. */
export function wireCompletion(
  completion: Completion,
  { id, created, model, includesReasoning }: CompletionHead,
): ChatCompletion {
  const { text, toolCalls, finishReason, usage, reasoning, sealed } = completion;
  const calls = toolCalls.map(({ id, name, arguments: text, sealed }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: text },
    ...(includesReasoning && wireSealed(sealed)),
  }));
  const annotations = wireAnnotations(completion);
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          ...(includesReasoning && reasoning && { [reasoning.field]: reasoning.text }),
          ...(includesReasoning && wireSealed(sealed)),
          ...(calls.length > 0 && { tool_calls: calls }),
          ...(annotations && { annotations }),
        },
        finish_reason: finishReason,
      },
    ],
    usage: wireTokens(usage),
  };
}
