import type { ModelDelta } from './chat-delta.ts';
import { GrowingText } from './growing-text.ts';
import type { ChatAnswer, ChatReasoning, ChatToolCall, FinishReason, TokenUsage } from './conversation.ts';
import { withPiece, type SealedParts } from './sealed.ts';

interface ReceivedCall extends Omit<ChatToolCall, 'arguments'> {
  readonly arguments: GrowingText;
}

/** Folds the pieces of a streamed answer. */
export class ReceivedAnswer {
  readonly #text = new GrowingText();
  readonly #reasoning = new GrowingText();
  #reasoningField: ChatReasoning['field'] | undefined;
  #sealed: SealedParts | undefined;
  readonly #calls: ReceivedCall[] = [];
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
        this.#text.add(delta.text);
        break;
      case 'reasoning':
        this.#reasoning.add(delta.text);
        this.#reasoningField ??= delta.field;
        break;
      case 'sealed':
        this.#sealed = withPiece(this.#sealed, delta.sealed);
        break;
      case 'call': {
        const { type: _, index, ...call } = delta;
        this.#calls[index] = { ...call, arguments: new GrowingText() };
        break;
      }
      case 'arguments':
        this.#addArguments(delta.index, delta.text);
    }
    // A count does not include what comes after it.
    this.#usage = undefined;
  }

  #addArguments(index: number, text: string): void {
    const call = this.#calls[index];
    if (!call) throw new Error(`The model's call ${index} has arguments, but has not begun.`);
    call.arguments.add(text);
  }

  /** The tokens of all pieces so far, if the model's server has counted them. */
  get usage(): TokenUsage | undefined {
    return this.#usage;
  }

  /** All that the model has written so far, for a count of its tokens. */
  get texts(): readonly string[] {
    const calls = this.#calls.map(({ name, arguments: text }) => `${name} ${String(text)}`);
    return [String(this.#reasoning), String(this.#text), ...calls].filter((text) => text !== '');
  }

  /** Returns the complete answer. Throws if its end has not come. */
  answer(usage: TokenUsage): ChatAnswer {
    if (this.#finishReason === undefined) throw new Error('The model has not ended its answer.');
    const text = this.#text.length === 0 && this.#calls.length > 0 ? null : String(this.#text);
    const toolCalls = this.#calls.map((call): ChatToolCall => ({ ...call, arguments: String(call.arguments) }));
    const field = this.#reasoningField;
    return {
      text,
      toolCalls,
      finishReason: this.#finishReason,
      usage,
      ...(field && { reasoning: { field, text: String(this.#reasoning) } }),
      ...(this.#sealed && { sealed: this.#sealed }),
    };
  }
}
