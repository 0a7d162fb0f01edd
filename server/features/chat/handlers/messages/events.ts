import { meaningOfStreamError, type StreamError } from '../stream-error.ts';
import type { Completion } from '../../completion/completion.ts';
import type { CompletionDelta } from '../chat-answer.ts';
import type { ChatReasoning } from '../../conversation/conversation.ts';
import { GrowingText } from '../../conversation/growing-text.ts';
import { messagesError } from '../ai-error.ts';
import { noReasoning } from '../carried-thoughts.ts';
import { CollectedSealed } from '../collected-sealed.ts';
import type { DeltaWriter } from '../delta-stream.ts';
import { messageHead, signatureOf, textBlock, wireStop, wireUsage, type MessageName } from './message.ts';

/** A text, a call of a function, or thoughts. */
interface Block {
  readonly call?: Extract<CompletionDelta, { type: 'call' }>;
  /** Of thoughts: the field of the model's server. */
  readonly field?: ChatReasoning['field'];
  /** What waits until the blocks before it have ended, or until the block itself has. */
  readonly waiting: GrowingText;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes an answer as the events of the Messages API. Only one block is open at a time, and pieces of several calls may
 * come in turns. So the first call is written as it comes. What follows waits until the answer ends, because only then
 * it is sure that the first call has ended. Thoughts are only written before the answer begins. What the model's server
 * seals later gets a block of its own, before the next one.
 */
export class MessageEvents implements DeltaWriter<CompletionDelta> {
  readonly keepAlive = eventOf('ping');
  readonly #named: MessageName;
  readonly #waiting: Block[] = [];
  readonly #sealed = new CollectedSealed();
  #open: Block | undefined;
  #index = -1;

  constructor(named: MessageName) {
    this.#named = named;
  }

  begin(): string {
    const usage = wireUsage({ inputTokens: 0, outputTokens: 0 });
    const message = { ...messageHead(this.#named), content: [], stop_reason: null, stop_sequence: null, usage };
    return eventOf('message_start', { message }) + this.keepAlive;
  }

  write(delta: CompletionDelta): string {
    switch (delta.type) {
      case 'reasoning':
        return this.#writeReasoning(delta);
      case 'sealed':
        this.#sealed.add(delta.sealed);
        return '';
      case 'text':
        return this.#writeText(delta.text);
      case 'call':
        return this.#writeCall(delta);
      case 'arguments':
        return this.#writeArguments(delta.index, delta.text);
      case 'end':
        return this.#end(delta.completion);
    }
  }

  failed(error: StreamError): string {
    const { type: _, ...fields } = messagesError(meaningOfStreamError(error));
    return eventOf('error', fields);
  }

  #writeReasoning({ field, text }: ChatReasoning): string {
    const { thoughts } = this.#named;
    if (thoughts === 'none' || (this.#open ? !this.#open.field : this.#index >= 0)) return '';
    const begun = this.#open ? '' : this.#begin({ field, waiting: new GrowingText() });
    if (thoughts === 'shown') return begun + this.#delta(text);
    this.#open!.waiting.add(text);
    return begun;
  }

  #writeText(text: string): string {
    if (this.#open?.call) {
      let last = this.#waiting.at(-1);
      if (!last || last.call) this.#waiting.push((last = { waiting: new GrowingText() }));
      last.waiting.add(text);
      return '';
    }
    const thoughts = this.#open?.field ? this.#close() : '';
    const begun = this.#open ? '' : this.#writeSealed() + this.#begin({ waiting: new GrowingText() });
    return thoughts + begun + this.#delta(text);
  }

  #writeCall(call: NonNullable<Block['call']>): string {
    const block = { call, waiting: new GrowingText() };
    if (this.#open?.call) {
      this.#waiting.push(block);
      return '';
    }
    this.#sealed.addOfCall(call);
    return this.#close() + this.#writeSealed() + this.#begin(block);
  }

  /** Writes a block without thoughts. No block is open. */
  #writeSealed(): string {
    if (this.#sealed.isEmpty || this.#named.thoughts === 'none') return '';
    return this.#begin({ field: noReasoning.field, waiting: new GrowingText() }) + this.#close();
  }

  #writeArguments(index: number, text: string): string {
    if (this.#open?.call?.index === index) return this.#delta(text);
    const block = this.#waiting.find(({ call }) => call?.index === index);
    if (!block) throw new Error(`The call ${index} has arguments, but has not begun.`);
    block.waiting.add(text);
    return '';
  }

  #end({ finishReason, usage }: Completion): string {
    const closed = this.#close();
    const blocks = this.#waiting.map((block) => {
      if (block.call) this.#sealed.addOfCall(block.call);
      return this.#writeSealed() + this.#begin(block) + this.#delta(String(block.waiting)) + this.#close();
    });
    const sealed = this.#writeSealed();
    const last = { delta: wireStop(finishReason), usage: wireUsage(usage) };
    return closed + blocks.join('') + sealed + eventOf('message_delta', last) + eventOf('message_stop');
  }

  #begin(block: Block): string {
    this.#open = block;
    this.#index++;
    return eventOf('content_block_start', { index: this.#index, content_block: emptyBlock(block) });
  }

  #delta(text: string): string {
    return this.#deltaOf(deltaOf(this.#open, text));
  }

  #deltaOf(delta: Fields): string {
    return eventOf('content_block_delta', { index: this.#index, delta });
  }

  #close(): string {
    const block = this.#open;
    if (!block) return '';
    this.#open = undefined;
    const { field, waiting } = block;
    const thoughts = field && { reasoning: { field, text: String(waiting) }, ...this.#sealed.take() };
    const signature = thoughts && signatureOf(thoughts, this.#named.thoughts);
    const signed = signature ? this.#deltaOf({ type: 'signature_delta', signature }) : '';
    return signed + eventOf('content_block_stop', { index: this.#index });
  }
}

function emptyBlock({ call, field }: Block): object {
  if (call) return { type: 'tool_use', id: call.id, name: call.name, input: {} };
  return field ? { type: 'thinking', thinking: '', signature: '' } : textBlock('');
}

function deltaOf(block: Block | undefined, text: string): Fields {
  if (block?.call) return { type: 'input_json_delta', partial_json: text };
  return block?.field ? { type: 'thinking_delta', thinking: text } : { type: 'text_delta', text };
}

function eventOf(type: string, fields: Fields = {}): string {
  // JSON has no line breaks.
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
