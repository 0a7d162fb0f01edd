import type { ModelDelta } from '../conversation/chat-delta.ts';
import type { ChatAnswer } from '../conversation/conversation.ts';

/** Returns a whole answer as the pieces of a stream. The text is cut behind each match of `cut`. */
export function* deltasOf(
  { text, toolCalls, finishReason, usage, reasoning, sealed }: ChatAnswer,
  cut?: RegExp,
): Generator<ModelDelta, void> {
  if (reasoning) yield { type: 'reasoning', ...reasoning };
  if (sealed) yield { type: 'sealed', sealed };
  if (text) for (const piece of cut ? text.split(cut) : [text]) if (piece !== '') yield { type: 'text', text: piece };
  for (const [index, { arguments: given, ...call }] of toolCalls.entries()) {
    yield { type: 'call', index, ...call };
    yield { type: 'arguments', index, text: given };
  }
  yield { type: 'usage', usage };
  yield { type: 'end', finishReason };
}
