import type { ModelDelta } from '../conversation/chat-delta.ts';
import type { Emit } from '../conversation/handed-out.ts';
import { ReceivedAnswer } from '../conversation/received-answer.ts';
import { noSpan, untraced, type Attributes, type CallSpan, type CallTracing } from '#server/telemetry/tracing.ts';
import { UpstreamFailure } from './failure.ts';
import { endAttributes, usageAttributes } from './span-attributes.ts';
import { outputContent } from './span-content.ts';

interface StreamSpan {
  readonly name: string;
  readonly attributes: Attributes;
  /** Whether the span has the answer. */
  readonly tracesContent: boolean;
}

type Ask = (span: CallSpan, emit: Emit<ModelDelta>) => Promise<void>;

/** Runs a stream as a span, which ends with it. */
export function tracedStream(
  tracing: CallTracing,
  { name, attributes, tracesContent }: StreamSpan,
  emit: Emit<ModelDelta>,
  ask: Ask,
): Promise<void> {
  // Each piece would pass one more function for nothing.
  if (tracing === untraced) return ask(noSpan, emit);
  return tracing
    .call(name, attributes, async (span) => {
      const notes = new StreamNotes(span, tracesContent ? new ReceivedAnswer() : undefined);
      try {
        await ask(span, (delta) => {
          notes.add(delta);
          return emit(delta);
        });
      } catch (error) {
        // The reader is no failure of the server.
        if (!(error instanceof UpstreamFailure)) return { error };
        span.note({ 'http.response.status_code': error.failure.status });
        span.failed(error.failure.kind);
        return { error };
      }
      return undefined;
    })
    .then((failed) => {
      if (failed) throw failed.error;
    });
}

/** Notes what a stream brings on its span. */
class StreamNotes {
  readonly #span: CallSpan;
  readonly #received: ReceivedAnswer | undefined;
  readonly #calls: Array<{ readonly name: string }> = [];
  readonly #beganMs = performance.now();
  #isFirst = true;

  constructor(span: CallSpan, received: ReceivedAnswer | undefined) {
    this.#span = span;
    this.#received = received;
  }

  add(delta: ModelDelta): void {
    this.#received?.add(delta);
    if (delta.type === 'usage') return this.#span.note(usageAttributes(delta.usage));
    if (delta.type === 'end') {
      this.#span.note(endAttributes(delta.finishReason, this.#calls));
      if (this.#received) this.#span.note(outputContent(this.#received.answer({ inputTokens: 0, outputTokens: 0 })));
      return;
    }
    if (delta.type === 'call') this.#calls.push({ name: delta.name });
    if (!this.#isFirst) return;
    this.#isFirst = false;
    this.#span.note({ 'gen_ai.response.time_to_first_chunk': (performance.now() - this.#beganMs) / 1000 });
  }
}
