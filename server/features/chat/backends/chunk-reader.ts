import type { ChatTurn, FinishReason } from '../conversation/conversation.ts';
import type { ChatDelta, ModelDelta } from '../conversation/chat-delta.ts';
import { reasoningOf } from '../conversation/reasoning.ts';
import { sealedIn, sealedLength } from '../conversation/sealed.ts';
import { fieldsOf, jsonValue } from '#server/backends/json-value.ts';
import { CallReader } from './call-reader.ts';
import { textOf, usageOf, type Fields } from './answer.ts';
import { failureOfStatus, UpstreamFailure } from './failure.ts';

/**
 * Reads the chunks of an OpenAI-compatible server, in the variations of all of them. The calls are only of functions
 * that were offered, and their ids are new in the conversation.
 */
export class ChunkReader {
  readonly #allowsOnlyCalls: boolean;
  readonly #calls: CallReader;
  readonly #maxLength: number;
  readonly #onChunk: (chunk: unknown) => void;
  #hasChunk = false;
  #length = 0;
  #usage: ModelDelta[] = [];
  #hasText = false;
  #reason: string | undefined;
  #isDone = false;

  /**
   * @param newCallId creates ids for calls without a unique one
   * @param maxLength of the whole answer, in UTF-16 code units
   * @param onChunk called with the first chunk, and with those that count tokens. Must not throw
   */
  constructor(
    turn: ChatTurn,
    newCallId: () => string,
    maxLength: number,
    onChunk: (chunk: unknown) => void = () => {},
  ) {
    this.#calls = new CallReader(turn, newCallId);
    this.#allowsOnlyCalls = turn.allowsOnlyCalls === true;
    this.#maxLength = maxLength;
    this.#onChunk = onChunk;
  }

  /** Whether the answer has ended. Only its usage may follow. */
  get isFinished(): boolean {
    return this.#reason !== undefined || this.#isDone;
  }

  /** Whether the stream has ended. Nothing may follow. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /**
   * Reads one event.
   *
   * @throws {UpstreamFailure} for an error of the server, or what is no chunk
   */
  read(data: string): readonly ModelDelta[] {
    if (data.trim() === '' || this.#isDone) return [];
    if (data.trim() === '[DONE]') {
      this.#isDone = true;
      return [];
    }
    const chunk = jsonValue(data);
    if (typeof chunk !== 'object' || chunk === null) throw new UpstreamFailure({ kind: 'unreadable' });
    const { choices, usage, error } = fieldsOf(chunk);
    if (!this.#hasChunk || usage) this.#onChunk(chunk);
    this.#hasChunk = true;
    if (error) throw new UpstreamFailure(failureOfError(error, data));
    const choice = Array.isArray(choices) ? choices.map(fieldsOf).find(({ index = 0 }) => index === 0) : undefined;
    const deltas: ModelDelta[] = choice && !this.isFinished ? this.#readChoice(choice) : [];
    const counted = usageOf(usage);
    if (counted) this.#usage = [{ type: 'usage', usage: counted }];
    // Before the first piece, another server can still be tried.
    return this.#length === 0 ? deltas : [...deltas, ...this.#usage.splice(0)];
  }

  #readChoice({ delta, finish_reason: reason }: Fields): ChatDelta[] {
    const said = fieldsOf(delta);
    const deltas: ChatDelta[] = [];
    const reasoning = reasoningOf(said);
    if (reasoning) deltas.push({ type: 'reasoning', ...reasoning });
    const sealed = sealedIn(said);
    if (sealed) deltas.push({ type: 'sealed', sealed });
    const text = textOf(said);
    if (text) deltas.push({ type: 'text', text });
    this.#hasText ||= Boolean(text);
    deltas.push(...this.#calls.read(said));
    for (const one of deltas) this.#length += lengthOf(one);
    if (this.#length > this.#maxLength) throw new UpstreamFailure({ kind: 'too-large' });
    if (reason === 'error') throw new UpstreamFailure({ kind: 'broken' });
    if (typeof reason === 'string' && reason !== '') this.#reason = reason;
    return deltas;
  }

  /**
   * Returns what ends the answer.
   *
   * @throws {UpstreamFailure} if it broke off, or has neither text nor a call of a function that was offered
   */
  end(): readonly ModelDelta[] {
    if (!this.isFinished) throw new UpstreamFailure({ kind: 'unreadable' });
    const hasCalls = this.#allowsOnlyCalls ? this.#calls.hasAny : this.#calls.count > 0;
    const mayBeEmpty = hasCalls || this.#reason === 'length' || this.#reason === 'content_filter';
    if (!this.#hasText && !mayBeEmpty) throw new UpstreamFailure({ kind: 'empty' });
    return [...this.#calls.end(), ...this.#usage, { type: 'end', finishReason: this.#finishReason() }];
  }

  /** Some servers send `stop` when the model called a function. */
  #finishReason(): FinishReason {
    if (this.#reason === 'content_filter') return 'content_filter';
    const isCutOff = this.#reason === 'length';
    if (this.#calls.count > 0 && !(isCutOff && this.#calls.isLastCutOff)) return 'tool_calls';
    return isCutOff ? 'length' : 'stop';
  }
}

function lengthOf(delta: ChatDelta): number {
  if (delta.type === 'sealed') return sealedLength(delta.sealed);
  return delta.type === 'call' ? delta.name.length + sealedLength(delta.sealed) : delta.text.length;
}

/** An error in a stream has a status only in its code, if at all. */
function failureOfError(error: unknown, data: string) {
  const { code } = fieldsOf(error);
  const isStatus = Number.isInteger(code) && (code as number) >= 400 && (code as number) <= 599;
  return failureOfStatus(isStatus ? (code as number) : 500, data, undefined, 0);
}
