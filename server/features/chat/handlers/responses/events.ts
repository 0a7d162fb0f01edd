import { chatErrorOf } from '../stream-error.ts';
import type { Citation } from '../../search/citations.ts';
import type { Completion } from '../../completion/completion.ts';
import type { ChatReasoning } from '../../conversation/conversation.ts';
import { noReasoning } from '../carried-thoughts.ts';
import type { CompletionDelta } from '../chat-answer.ts';
import { GrowingText } from '../../conversation/growing-text.ts';
import { CollectedSealed } from '../collected-sealed.ts';
import type { DeltaWriter } from '../delta-stream.ts';
import type { Ports } from '#server/handlers/ports.ts';
import {
  messageItem,
  reasonOf,
  reasoningPart,
  textPart,
  type ItemStatus,
  type OutputItem,
  type WireResponse,
} from './response.ts';

/** An item that is written, at its place in the output. */
interface OpenItem {
  readonly id: string;
  readonly place: number;
  readonly text: GrowingText;
  /** Of a call. */
  readonly call?: Extract<CompletionDelta, { type: 'call' }>;
  /** Of thoughts: the field of the model's server. */
  readonly field?: ChatReasoning['field'];
}

type Fields = Readonly<Record<string, unknown>>;

const end = 'data: [DONE]\n\n';

/**
 * Writes an answer as the events of Open Responses. Thoughts end where the answer begins, and later ones are not
 * written. A message ends where a call begins. The calls end with the answer, because the pieces of several calls may
 * come in turns. What the model's server seals after its thoughts gets an item of its own, before the next one.
 */
export class ResponseEvents implements DeltaWriter<CompletionDelta> {
  readonly #response: WireResponse;
  readonly #ids: Ports['ids'];
  readonly #calls = new Map<number, OpenItem>();
  readonly #sealed = new CollectedSealed();
  /** By their places; undefined while an item is open. */
  readonly #output: Array<OutputItem | undefined> = [];
  #thoughts: OpenItem | undefined;
  #message: OpenItem | undefined;
  #sequence = 0;

  constructor(response: WireResponse, ids: Ports['ids']) {
    this.#response = response;
    this.#ids = ids;
  }

  begin(): string {
    const response = this.#response.at({ status: 'in_progress', output: [] });
    return this.#event('response.created', { response }) + this.#event('response.in_progress', { response });
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
        return this.#beginCall(delta);
      case 'arguments':
        return this.#writeArguments(delta.index, delta.text);
      case 'end':
        return this.#end(delta.completion);
    }
  }

  /** The items that were open stay incomplete. */
  failed(error: Parameters<typeof chatErrorOf>[0]): string {
    const { type, code, message, param } = chatErrorOf(error);
    for (const item of this.#open()) this.#output[item.place] = this.#doneItem(item, 'incomplete');
    const response = this.#response.at({ status: 'failed', output: this.#whole(), error: { code, message } });
    return (
      this.#event('error', { error: { type, code, message, param } }) +
      this.#event('response.failed', { response }) +
      end
    );
  }

  #writeReasoning({ field, text }: ChatReasoning): string {
    if (!this.#thoughts && this.#output.length > 0) return '';
    let begun = '';
    if (!this.#thoughts) {
      const id = `rs_${this.#ids.opaqueId()}`;
      const item = (this.#thoughts = { id, place: this.#nextPlace(), text: new GrowingText(), field });
      begun =
        this.#added(item, this.#doneItem(item, 'in_progress')) +
        this.#event('response.content_part.added', { ...ofPart(item), part: reasoningPart('') });
    }
    this.#thoughts.text.add(text);
    return begun + this.#event('response.reasoning_text.delta', { ...ofPart(this.#thoughts), delta: text });
  }

  #writeText(text: string): string {
    let begun = '';
    if (!this.#message) {
      const before = this.#endReasoning('completed') + this.#writeSealed();
      const id = `msg_${this.#ids.opaqueId()}`;
      const item = (this.#message = { id, place: this.#nextPlace(), text: new GrowingText() });
      begun =
        before +
        this.#added(item, messageItem(id, undefined, 'in_progress')) +
        this.#event('response.content_part.added', { ...ofPart(item), part: textPart('') });
    }
    this.#message.text.add(text);
    return begun + this.#event('response.output_text.delta', { ...ofPart(this.#message), delta: text, logprobs: [] });
  }

  #beginCall(call: NonNullable<OpenItem['call']>): string {
    this.#sealed.addOfCall(call);
    const before = this.#endReasoning('completed') + this.#endMessage('completed') + this.#writeSealed();
    const item = {
      id: `fc_${this.#ids.opaqueId()}`,
      place: this.#nextPlace(),
      text: new GrowingText(),
      call,
    };
    this.#calls.set(call.index, item);
    return before + this.#added(item, this.#doneItem(item, 'in_progress'));
  }

  /** Writes an item without thoughts. */
  #writeSealed(): string {
    if (this.#sealed.isEmpty || !this.#response.carriesThoughts) return '';
    const id = `rs_${this.#ids.opaqueId()}`;
    const item = { id, place: this.#nextPlace(), text: new GrowingText(), field: noReasoning.field };
    return this.#added(item, this.#doneItem(item, 'in_progress')) + this.#done(item, this.#doneItem(item, 'completed'));
  }

  #writeArguments(index: number, text: string): string {
    const item = this.#calls.get(index);
    if (!item) throw new Error(`The call ${index} has arguments, but has not begun.`);
    item.text.add(text);
    return this.#event('response.function_call_arguments.delta', { ...ofItem(item), delta: text });
  }

  #end(completion: Completion): string {
    const isWhole = reasonOf(completion.finishReason) === undefined;
    const lastPlace = this.#output.length - 1;
    const statusOf = ({ place }: OpenItem): ItemStatus => (isWhole || place < lastPlace ? 'completed' : 'incomplete');
    let events = '';
    for (const item of this.#open()) {
      if (item.call) events += this.#endCall(item, statusOf(item));
      else if (item.field) events += this.#endReasoning(statusOf(item));
      else events += this.#endMessage(statusOf(item), completion.citations);
    }
    events += this.#writeSealed();
    const response = this.#response.ended(completion, this.#whole());
    return events + this.#event(isWhole ? 'response.completed' : 'response.incomplete', { response }) + end;
  }

  #endReasoning(status: ItemStatus): string {
    const item = this.#thoughts;
    if (!item) return '';
    this.#thoughts = undefined;
    const text = String(item.text);
    return (
      this.#event('response.reasoning_text.done', { ...ofPart(item), text }) +
      this.#event('response.content_part.done', { ...ofPart(item), part: reasoningPart(text) }) +
      this.#done(item, this.#doneItem(item, status))
    );
  }

  #endMessage(status: ItemStatus, citations?: readonly Citation[]): string {
    const item = this.#message;
    if (!item) return '';
    this.#message = undefined;
    const text = String(item.text);
    const part = textPart(text, citations);
    const annotations = part.annotations.map((annotation, annotation_index) =>
      this.#event('response.output_text.annotation.added', { ...ofPart(item), annotation_index, annotation }),
    );
    return (
      annotations.join('') +
      this.#event('response.output_text.done', { ...ofPart(item), text, logprobs: [] }) +
      this.#event('response.content_part.done', { ...ofPart(item), part }) +
      this.#done(item, messageItem(item.id, text, status, citations))
    );
  }

  #endCall(item: OpenItem, status: ItemStatus): string {
    const { name } = this.#response.clientName(item.call!.name);
    const fields = { ...ofItem(item), name, arguments: String(item.text) };
    return (
      this.#event('response.function_call_arguments.done', fields) + this.#done(item, this.#doneItem(item, status))
    );
  }

  /** The open items, in the order of the output. */
  #open(): readonly OpenItem[] {
    const others = [this.#thoughts, this.#message].filter((item) => item !== undefined);
    return [...this.#calls.values(), ...others].sort((a, b) => a.place - b.place);
  }

  #doneItem({ id, text, call, field }: OpenItem, status: ItemStatus): OutputItem {
    const written = String(text);
    if (call) return this.#response.callItem(id, { ...call, arguments: written }, status);
    if (!field) return messageItem(id, written, status);
    const sealed = status === 'in_progress' ? {} : this.#sealed.take();
    return this.#response.reasoningItem(id, { reasoning: { field, text: written }, ...sealed }, status);
  }

  #whole(): OutputItem[] {
    return this.#output.filter((item) => item !== undefined);
  }

  #nextPlace(): number {
    return this.#output.push(undefined) - 1;
  }

  #added({ place }: OpenItem, item: OutputItem): string {
    return this.#event('response.output_item.added', { output_index: place, item });
  }

  #done({ place }: OpenItem, item: OutputItem): string {
    this.#output[place] = item;
    return this.#event('response.output_item.done', { output_index: place, item });
  }

  #event(type: string, fields: Fields): string {
    const data = { type, sequence_number: this.#sequence++, ...fields };
    // JSON has no line breaks.
    return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}

function ofItem({ id, place }: OpenItem): Fields {
  return { item_id: id, output_index: place };
}

/** A message has one part. */
function ofPart(item: OpenItem): Fields {
  return { ...ofItem(item), content_index: 0 };
}
