import type { ModelDelta } from '#server/domain/chat/chat-delta.ts';
import { ReceivedAnswer } from '#server/domain/chat/received-answer.ts';
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

type Open = (span: CallSpan) => AsyncGenerator<ModelDelta, void>;

/** Runs a stream as a span, which ends with it. */
export function tracedStream(tracing: CallTracing, span: StreamSpan, open: Open): AsyncGenerator<ModelDelta, void> {
  // Each piece would pass one more generator for nothing.
  return tracing === untraced ? open(noSpan) : streamInSpan(tracing, span, open);
}

async function* streamInSpan(
  tracing: CallTracing,
  { name, attributes, tracesContent }: StreamSpan,
  open: Open,
): AsyncGenerator<ModelDelta, void> {
  const ended = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<CallSpan>();
  void tracing.call(name, attributes, (span) => {
    begun.resolve(span);
    return ended.promise;
  });
  const span = await begun.promise;
  const notes = new StreamNotes(span, tracesContent ? new ReceivedAnswer() : undefined);
  try {
    for await (const delta of open(span)) {
      notes.add(delta);
      yield delta;
    }
  } catch (error) {
    if (error instanceof UpstreamFailure) {
      span.note({ 'http.response.status_code': error.failure.status });
      span.failed(error.failure.kind);
    }
    throw error;
  } finally {
    ended.resolve();
  }
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
