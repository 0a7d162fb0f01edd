import { meaningOfStreamError, type StreamError } from '../stream-error.ts';
import type { Completion } from '../../completion/completion.ts';
import type { CompletionDelta } from '../chat-answer.ts';
import type { ChatReasoning } from '../../conversation/conversation.ts';
import { GrowingText } from '../../conversation/growing-text.ts';
import { messagesError } from '../ai-error.ts';
import type { DeltaWriter } from '../delta-stream.ts';
import { messageHead, signatureOf, textBlock, wireStop, wireUsage, type MessageName } from './message.ts';

/** A text, a call of a function, or thoughts. */
interface Block {
  readonly call?: { readonly index: number; readonly id: string; readonly name: string };
  /** Of thoughts: the field of the model's server. */
  readonly field?: ChatReasoning['field'];
  /** What waits until the blocks before it have ended, or until the block itself has. */
  readonly waiting: GrowingText;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes an answer as the events of the Messages API. Only one block is open at a time, and pieces of several calls may
 * come in turns. So the first call is written as it comes. What follows waits until the answer ends, because only then
 * it is sure that the first call has ended. Thoughts are only written before the answer begins.
 */
export class MessageEvents implements DeltaWriter<CompletionDelta> {
  readonly keepAlive = eventOf('ping');
  readonly #named: MessageName;
  readonly #waiting: Block[] = [];
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
      case 'text':
        return this.#writeText(delta.text);
      case 'call': {
        const block = { call: delta, waiting: new GrowingText() };
        if (!this.#open?.call) return this.#close() + this.#begin(block);
        this.#waiting.push(block);
        return '';
      }
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
    const begun = this.#open ? '' : this.#begin({ waiting: new GrowingText() });
    return thoughts + begun + this.#delta(text);
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
    const blocks = this.#waiting.map(
      (block) => this.#begin(block) + this.#delta(String(block.waiting)) + this.#close(),
    );
    const last = { delta: wireStop(finishReason), usage: wireUsage(usage) };
    return closed + blocks.join('') + eventOf('message_delta', last) + eventOf('message_stop');
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
    const signature = field && signatureOf({ field, text: String(waiting) }, this.#named.thoughts);
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
