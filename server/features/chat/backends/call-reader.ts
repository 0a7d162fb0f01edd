import type { ChatTurn } from '../conversation/conversation.ts';
import type { ChatDelta } from '../conversation/chat-delta.ts';
import { sealedIn, type SealedParts } from '../conversation/sealed.ts';
import { fieldsOf, jsonValue } from '#server/backends/json-value.ts';
import { longestCallId, mostCalls, type Fields } from './answer.ts';
import { callIdsIn } from './call-ids.ts';
import { UpstreamFailure } from './failure.ts';

/** A call of a stream, by its place there. */
interface OpenCall {
  readonly givenId: string | undefined;
  /** Its number in the answer; undefined until its name has come, and for a call that is dropped. */
  index: number | undefined;
  isDropped: boolean;
  arguments: string;
  /** Those that came until its name did. */
  sealed: SealedParts | undefined;
}

/** More calls than this are no answer of a model. */
const mostPlaces = 1000;

/** Reads the calls in the chunks of one answer. */
export class CallReader {
  readonly #offered: ReadonlySet<string>;
  readonly #ids: Set<string>;
  readonly #newCallId: () => string;
  readonly #places = new Map<number, OpenCall>();
  readonly #calls: OpenCall[] = [];
  #last = -1;

  constructor({ messages, tools = [], toolChoice }: ChatTurn, newCallId: () => string) {
    this.#offered = new Set(toolChoice === 'none' ? [] : tools.map(({ name }) => name));
    this.#ids = callIdsIn(messages);
    this.#newCallId = newCallId;
  }

  /** The number of calls of functions that were offered. */
  get count(): number {
    return this.#calls.length;
  }

  /** Whether the model called any function, offered or not. */
  get hasAny(): boolean {
    return this.#last >= 0;
  }

  get isLastCutOff(): boolean {
    const last = this.#calls.at(-1);
    return last !== undefined && last.arguments.trim() !== '' && jsonValue(last.arguments) === undefined;
  }

  /** @throws {UpstreamFailure} for too many calls */
  read({ tool_calls: calls, function_call: single }: Fields): readonly ChatDelta[] {
    if (Array.isArray(calls) && calls.length > 0) return calls.map(fieldsOf).flatMap((call) => this.#readCall(call));
    // Servers without parallel calls use this older field.
    return single ? this.#readCall({ index: 0, function: single }) : [];
  }

  #readCall({ index, id, function: called, ...further }: Fields): readonly ChatDelta[] {
    const { name, arguments: given } = fieldsOf(called);
    const givenId = typeof id === 'string' && id !== '' ? id : undefined;
    const hasName = typeof name === 'string' && name !== '';
    const place = Number.isInteger(index) ? (index as number) : undefined;
    let call = this.#places.get(place ?? this.#last);
    // Some servers give all calls the same number, or none.
    const isAnother = givenId !== undefined && call?.givenId !== undefined && givenId !== call.givenId;
    const isUnnumbered = place === undefined && hasName && call?.index !== undefined;
    if (!call || isAnother || isUnnumbered) {
      call = { givenId, index: undefined, isDropped: false, arguments: '', sealed: undefined };
      if (this.#places.size >= mostPlaces) throw new UpstreamFailure({ kind: 'unreadable' });
      this.#last = place ?? this.#last + 1;
      this.#places.set(this.#last, call);
    }
    const text = argumentsText(given);
    if (call.index !== undefined) return this.#moreArguments(call, text);
    if (!call.isDropped) call.arguments += text;
    call.sealed ??= sealedIn(further);
    if (!hasName || call.isDropped) return [];
    return this.#begin(call, name as string);
  }

  #begin(call: OpenCall, name: string): readonly ChatDelta[] {
    if (!this.#offered.has(name) || this.#calls.length === mostCalls) {
      call.isDropped = true;
      call.arguments = '';
      return [];
    }
    call.index = this.#calls.push(call) - 1;
    const id = this.#uniqueId(call.givenId);
    const text = call.arguments;
    call.arguments = '';
    const { index, sealed } = call;
    return [{ type: 'call', index, id, name, ...(sealed && { sealed }) }, ...this.#moreArguments(call, text)];
  }

  #uniqueId(given: string | undefined): string {
    let id = given ?? this.#newCallId();
    while (id.length > longestCallId || this.#ids.has(id)) id = this.#newCallId();
    this.#ids.add(id);
    return id;
  }

  #moreArguments(call: OpenCall, text: string): readonly ChatDelta[] {
    if (text === '') return [];
    call.arguments += text;
    return [{ type: 'arguments', index: call.index!, text }];
  }

  /** Returns the arguments of calls that have none. */
  end(): readonly ChatDelta[] {
    return this.#calls.flatMap((call) => (call.arguments.trim() === '' ? this.#moreArguments(call, '{}') : []));
  }
}

/** Some servers send the object itself. */
function argumentsText(given: unknown): string {
  if (typeof given === 'string') return given;
  return typeof given === 'object' && given !== null ? JSON.stringify(given) : '';
}
