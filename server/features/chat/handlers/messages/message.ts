import type { MessagesAnswer, MessagesTextBlock, MessagesThinking, MessagesToolUse } from '#generated/types.ts';
import type { Completion } from '../../completion/completion.ts';
import type { ChatToolCall, FinishReason, TokenUsage } from '../../conversation/conversation.ts';
import { carryThoughts, thoughtsOf, type CarriedThoughts } from '../carried-thoughts.ts';

const stopReasons: Readonly<Record<FinishReason, MessagesAnswer['stop_reason']>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** Whether a client wants the model's thoughts. If they are carried, it gets a block without their text. */
export type ThoughtsWish = 'none' | 'shown' | 'carried';

/** The id of an answer, the name of its model, and what it has beside its text. */
export interface MessageName {
  readonly id: string;
  readonly model: string;
  readonly thoughts: ThoughtsWish;
}

/** Returns an answer as one body. */
export function wireMessage(completion: Completion, named: MessageName): MessagesAnswer {
  const { text, toolCalls, finishReason, usage } = completion;
  const carried = named.thoughts === 'none' ? undefined : thoughtsOf(completion);
  const thoughts = carried ? [thinkingBlock(carried, named.thoughts)] : [];
  return {
    ...messageHead(named),
    content: [...thoughts, ...(text ? [textBlock(text)] : []), ...toolCalls.map(toolUse)],
    ...wireStop(finishReason),
    usage: wireUsage(usage),
  };
}

export function messageHead({ id, model }: MessageName) {
  return { id, type: 'message', role: 'assistant', model } as const;
}

export function wireStop(finishReason: FinishReason): Pick<MessagesAnswer, 'stop_reason' | 'stop_sequence'> {
  return { stop_reason: stopReasons[finishReason], stop_sequence: null };
}

export function wireUsage({ inputTokens, outputTokens, cachedInputTokens = 0 }: TokenUsage): MessagesAnswer['usage'] {
  return {
    // This protocol counts what was cached apart, so that a client adds both.
    input_tokens: inputTokens - cachedInputTokens,
    output_tokens: outputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedInputTokens,
  };
}

export function textBlock(text: string): MessagesTextBlock {
  return { type: 'text', text };
}

function thinkingBlock(thoughts: CarriedThoughts, wish: ThoughtsWish): MessagesThinking {
  return {
    type: 'thinking',
    thinking: wish === 'shown' ? thoughts.reasoning.text : '',
    signature: signatureOf(thoughts, wish),
  };
}

/** Returns the field of the model's server, what it has sealed, and the text unless the block shows it. */
export function signatureOf({ reasoning, ...sealed }: CarriedThoughts, wish: ThoughtsWish): string {
  return carryThoughts({ reasoning: wish === 'shown' ? { ...reasoning, text: '' } : reasoning, ...sealed });
}

function toolUse({ id, name, arguments: text }: ChatToolCall): MessagesToolUse {
  return { type: 'tool_use', id, name, input: inputOf(text) };
}

function inputOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // It is no JSON.
  }
  return { arguments: text };
}
