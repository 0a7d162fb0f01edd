import type { ModelDelta } from '../conversation/chat-delta.ts';
import type { ChatMessage, ChatTurn } from '../conversation/conversation.ts';
import { turnWithSealed } from '../conversation/changed-sealed.ts';
import type { SealedParts } from '../conversation/sealed.ts';
import type { Emit } from '../conversation/handed-out.ts';
import type { DeltaReader } from '../models/chat-model.ts';
import { answerOfFunction, requestedByFunction, piecesOfFunction, wantsJson } from './answer-function.ts';
import { UpstreamFailure, type Failure } from './failure.ts';
import type { RejectedField } from './rejected-field.ts';
import { RememberedRejections, type RejectionOptions } from './remembered-rejections.ts';
import type { Attempt, Upstream } from './upstream.ts';

interface AdaptingOptions extends RejectionOptions {
  /** Whether the server gets no `response_format`, because it does not reject what it ignores. Default false. */
  readonly asksByFunction?: boolean | undefined;
}

/** A turn as a server gets it. */
interface Adapted {
  readonly turn: ChatTurn;
  /** The function that gives the answer; undefined if none does. */
  readonly answeringName: string | undefined;
}

/**
 * Sends a request once more without a field that its server rejects. Clients send such fields by habit, and servers
 * differ in what they take. Hints are left out. JSON is requested as the arguments of a function. If no function can
 * give it, the rejection stands.
 */
export class AdaptingUpstream implements Upstream {
  readonly #upstream: Upstream;
  readonly #asksByFunction: boolean;
  readonly #rejections: RememberedRejections;

  constructor(upstream: Upstream, options: AdaptingOptions = {}) {
    this.#upstream = upstream;
    this.#asksByFunction = options.asksByFunction ?? false;
    this.#rejections = new RememberedRejections(options);
  }

  async ask(turn: ChatTurn, signal: AbortSignal, onBegun?: () => void, requestId?: string): Promise<Attempt> {
    return this.#adapting(turn, async ({ turn: sent, answeringName: name }) => {
      const attempt = await this.#upstream.ask(sent, signal, onBegun, requestId);
      return 'answer' in attempt && name !== undefined ? { answer: answerOfFunction(attempt.answer, name) } : attempt;
    });
  }

  async stream(turn: ChatTurn, signal: AbortSignal, reader: DeltaReader, requestId?: string): Promise<void> {
    let hasBegun = false;
    const emit: Emit<ModelDelta> = (delta) => {
      hasBegun = true;
      return reader.emit(delta);
    };
    const outcome = await this.#adapting<void>(turn, async ({ turn: sent, answeringName: name }) => {
      const emitted = name === undefined ? emit : piecesOfFunction(name, emit);
      try {
        return { answer: await this.#upstream.stream(sent, signal, { ...reader, emit: emitted }, requestId) };
      } catch (error) {
        // Once pieces are out, nothing can be sent again.
        if (hasBegun || !(error instanceof UpstreamFailure)) throw error;
        return { failure: error.failure };
      }
    });
    if ('failure' in outcome) throw new UpstreamFailure(outcome.failure);
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }

  /** Asks, and asks again for each further field that the server rejects. */
  async #adapting<T>(turn: ChatTurn, ask: (adapted: Adapted) => Promise<Attempt<T>>): Promise<Attempt<T>> {
    let adapted: Adapted = { turn, answeringName: undefined };
    for (const field of this.#known()) adapted = without(field, adapted) ?? adapted;
    // The server ignores the format, so it would answer with some text that is no JSON.
    if (this.#asksByFunction && wantsJson(adapted.turn)) return { failure: { kind: 'refused' } };
    const found: RejectedField[] = [];
    for (;;) {
      const attempt = await ask(adapted);
      if ('answer' in attempt) for (const field of found) this.#rejections.remember(field);
      const next = 'failure' in attempt ? afterRejection(attempt.failure, adapted) : undefined;
      if (next === undefined) return attempt;
      found.push(next.field);
      ({ adapted } = next);
    }
  }

  #known(): readonly RejectedField[] {
    const known = this.#rejections.known();
    return this.#asksByFunction ? [...known, 'response_format'] : known;
  }
}

function afterRejection(
  { rejected: field }: Failure,
  adapted: Adapted,
): { readonly field: RejectedField; readonly adapted: Adapted } | undefined {
  const next = field && without(field, adapted);
  return next && { field, adapted: next };
}

/** Returns a turn without a field; undefined if it has none, or cannot do without. */
function without(field: RejectedField, { turn, answeringName }: Adapted): Adapted | undefined {
  switch (field) {
    case 'response_format': {
      const requested = requestedByFunction(turn);
      return requested && { turn: requested.turn, answeringName: requested.name };
    }
    case 'reasoning_effort': {
      const { reasoningEffort, ...rest } = turn;
      return reasoningEffort === undefined ? undefined : { turn: rest, answeringName };
    }
    // Only of embeddings.
    case 'encoding_format':
      return undefined;
    case 'reasoning_content': {
      if (!turn.messages.some(hasReasoning)) return undefined;
      return { turn: { ...turn, messages: turn.messages.map(withoutReasoning) }, answeringName };
    }
    case 'reasoning_details':
      return withoutSealed('details', turn, answeringName);
    case 'extra_content':
      return withoutSealed('extra', turn, answeringName);
  }
}

function withoutSealed(
  part: keyof SealedParts,
  turn: ChatTurn,
  answeringName: string | undefined,
): Adapted | undefined {
  let hasPart = false;
  const changed = turnWithSealed(turn, ({ [part]: removed, ...rest }) => {
    hasPart ||= removed !== undefined;
    return Object.keys(rest).length > 0 ? rest : undefined;
  });
  return hasPart ? { turn: changed, answeringName } : undefined;
}

function hasReasoning(message: ChatMessage): boolean {
  return message.role === 'assistant' && message.reasoning !== undefined;
}

function withoutReasoning(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant') return message;
  const { reasoning: _, ...rest } = message;
  return rest;
}
