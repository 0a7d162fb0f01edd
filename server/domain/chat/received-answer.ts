import type { ModelDelta } from './chat-delta.ts';
import type { ChatAnswer, ChatToolCall, FinishReason, TokenUsage } from './conversation.ts';

/** Folds the pieces of a streamed answer. */
export class ReceivedAnswer {
  #text = '';
  #reasoning = '';
  readonly #calls: ChatToolCall[] = [];
  #usage: TokenUsage | undefined;
  #finishReason: FinishReason | undefined;

  add(delta: ModelDelta): void {
    switch (delta.type) {
      case 'usage':
        this.#usage = delta.usage;
        return;
      case 'end':
        this.#finishReason = delta.finishReason;
        return;
      case 'text':
        this.#text += delta.text;
        break;
      case 'reasoning':
        this.#reasoning += delta.text;
        break;
      case 'call':
        this.#calls[delta.index] = { id: delta.id, name: delta.name, arguments: '' };
        break;
      case 'arguments':
        this.#addArguments(delta.index, delta.text);
    }
    // A count does not include what comes after it.
    this.#usage = undefined;
  }

  #addArguments(index: number, text: string): void {
    const call = this.#calls[index];
    if (!call) throw new Error(`The model's call ${index} has arguments, but has not begun.`);
    this.#calls[index] = { ...call, arguments: call.arguments + text };
  }

  /** The tokens of all pieces so far, if the model's server has counted them. */
  get usage(): TokenUsage | undefined {
    return this.#usage;
  }

  /** All that the model has written so far, for a count of its tokens. */
  get texts(): readonly string[] {
    const calls = this.#calls.map(({ name, arguments: text }) => `${name} ${text}`);
    return [this.#reasoning, this.#text, ...calls].filter((text) => text !== '');
  }

  /** Returns the complete answer. Throws if its end has not come. */
  answer(usage: TokenUsage): ChatAnswer {
    if (this.#finishReason === undefined) throw new Error('The model has not ended its answer.');
    const text = this.#text === '' && this.#calls.length > 0 ? null : this.#text;
    return { text, toolCalls: this.#calls, finishReason: this.#finishReason, usage };
  }
}
