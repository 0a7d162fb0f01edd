import { chatErrorOf } from './stream-error.ts';
import type { CompletionDelta } from './chat-answer.ts';
import { wireAnnotations, wireTokens, type CompletionHead } from './chat-wire.ts';
import { wireSealed } from '../conversation/sealed.ts';
import type { DeltaWriter } from './delta-stream.ts';

/** The fields that all chunks of an answer share. */
interface ChunkHead extends CompletionHead {
  /** Whether one more chunk counts the tokens. */
  readonly includesUsage: boolean;
}

/** Writes an answer as chunks of chat completions, each as one server-sent event. */
export class ChatChunks implements DeltaWriter<CompletionDelta> {
  readonly #head: ChunkHead;

  constructor(head: ChunkHead) {
    this.#head = head;
  }

  /** The first chunk. */
  begin(): string {
    return this.#chunk({ role: 'assistant', content: '' });
  }

  /** Returns the events of one piece. After the `end` there are no more. */
  write(delta: CompletionDelta): string {
    switch (delta.type) {
      case 'reasoning':
        return this.#head.includesReasoning ? this.#chunk({ [delta.field]: delta.text }) : '';
      case 'sealed':
        return this.#head.includesReasoning ? this.#chunk(wireSealed(delta.sealed)) : '';
      case 'text':
        return this.#chunk({ content: delta.text });
      case 'call': {
        const { index, id, name } = delta;
        const sealed = this.#head.includesReasoning ? wireSealed(delta.sealed) : {};
        const call = { index, id, type: 'function', function: { name, arguments: '' }, ...sealed };
        return this.#chunk({ tool_calls: [call] });
      }
      case 'arguments':
        return this.#chunk({ tool_calls: [{ index: delta.index, function: { arguments: delta.text } }] });
      case 'end': {
        const { completion } = delta;
        const annotations = wireAnnotations(completion);
        const last = this.#chunk(annotations ? { annotations } : {}, completion.finishReason);
        const usage = this.#head.includesUsage ? this.#event([], wireTokens(completion.usage)) : '';
        return `${last}${usage}data: [DONE]\n\n`;
      }
    }
  }

  failed(error: Parameters<typeof chatErrorOf>[0]): string {
    return `data: ${JSON.stringify({ error: chatErrorOf(error) })}\n\n`;
  }

  #chunk(delta: object, finishReason: string | null = null): string {
    return this.#event([{ index: 0, delta, finish_reason: finishReason }]);
  }

  #event(choices: readonly object[], usage?: object): string {
    const { id, created, model } = this.#head;
    const chunk = { id, object: 'chat.completion.chunk', created, model, choices };
    // JSON has no line breaks, and leaves out what is undefined.
    return `data: ${JSON.stringify({ ...chunk, usage })}\n\n`;
  }
}
