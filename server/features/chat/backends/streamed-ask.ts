import type { ModelDelta } from '../conversation/chat-delta.ts';
import type { DeltaReader } from '../models/chat-model.ts';
import type { ChatTurn } from '../conversation/conversation.ts';
import type { Clock } from '#server/domain/ports/clock.ts';
import type { CallSpan } from '#server/telemetry/tracing.ts';
import { nextTurn } from '#server/event-loop.ts';
import { jsonValue } from '#server/backends/json-value.ts';
import { openResponse, type OpenedResponse, type ReceivedBody } from '#server/backends/open-response.ts';
import { readAnswer } from './answer.ts';
import { ChunkReader } from './chunk-reader.ts';
import { failureOfConnection } from './connection-failure.ts';
import { failureOfStatus, UpstreamFailure } from './failure.ts';
import { streamedRequestBody } from './request-body.ts';
import { maxErrorBytes, type ModelServer } from './post-once.ts';
import { requestProgress } from './request-progress.ts';
import { responseAttributes } from './span-attributes.ts';
import { EventReader, type EventLimits } from './upstream-events.ts';
import { deltasOf } from './whole-answer.ts';

interface StreamOptions {
  readonly newCallId: () => string;
  readonly clock: Clock;
  readonly refusedAtOnceMs?: number;
  /** Of an answer: its text, its calls and its reasoning together. */
  readonly maxBodyBytes: number;
  readonly eventLimits?: EventLimits;
  /** How long the usage may take after the answer has ended. */
  readonly usageWaitMs?: number;
}

/** A chunk of a token is some hundred bytes, and the longest answer of any plan has 8192 tokens. */
const standardLimits: EventLimits = { maxEventLength: 256 * 1024, maxBytes: 16 * 1024 * 1024 };

/** After so much at once, other requests run first. A server that sends faster than it is read would hold them up. */
const burstBytes = 8 * 1024;
const burstEvents = 100;
const burstMs = 10;

/** Returns a function that asks a server for a stream. See `Upstream.stream`. */
export function streamedAsk({ pool, path, headers, model }: ModelServer, options: StreamOptions) {
  return async (turn: ChatTurn, signal: AbortSignal, reader: Required<DeltaReader>, span: CallSpan): Promise<void> => {
    const { onBegun } = reader;
    const progress = requestProgress(onBegun, options.refusedAtOnceMs);
    const request = {
      method: 'POST' as const,
      path,
      headers: { ...headers, accept: 'text/event-stream', ...span.headers },
      body: JSON.stringify(streamedRequestBody(turn, model)),
    };
    const sink = new PieceSink(reader);
    let body: ReceivedBody | undefined;
    try {
      const response = await openResponse(pool, request, { signal, onSending: progress.sent });
      ({ body } = response);
      await handOut(response, { turn, span, sink }, options);
      body.leave();
      body = undefined;
    } catch (error) {
      if (sink.hasRejected) throw error;
      const failure = error instanceof UpstreamFailure ? error.failure : failureOfConnection(error, signal);
      if (signal.aborted) progress.cutOff();
      // The server has processed the request, although it returned nothing.
      if (failure.kind === 'empty') onBegun();
      throw error instanceof UpstreamFailure ? error : new UpstreamFailure(failure);
    } finally {
      progress.done();
      body?.abort();
    }
  };
}

/** Hands pieces to the reader of the stream. An error of the reader is no failure of the server. */
class PieceSink {
  readonly #reader: Required<DeltaReader>;
  /** Whether the reader has rejected a piece. */
  hasRejected = false;

  constructor(reader: Required<DeltaReader>) {
    this.#reader = reader;
  }

  async write(deltas: Iterable<ModelDelta>): Promise<void> {
    for (const delta of deltas) {
      this.#reader.onBegun();
      try {
        await this.#reader.emit(delta);
      } catch (error) {
        this.hasRejected = true;
        throw error;
      }
    }
  }
}

interface RequestedStream {
  readonly turn: ChatTurn;
  readonly span: CallSpan;
  readonly sink: PieceSink;
}

/** Hands out the pieces of a response. @throws {UpstreamFailure} */
async function handOut(
  { status, contentType, retryAfter, body }: OpenedResponse,
  requested: RequestedStream,
  options: StreamOptions,
): Promise<void> {
  if (status !== 200) {
    // For an error response that is too long, the status is enough.
    const text = (await body.text(maxErrorBytes)) ?? '';
    throw new UpstreamFailure(failureOfStatus(status, text, retryAfter, options.clock.now()));
  }
  if (contentType.startsWith('text/event-stream')) return handOutEvents(body, requested, options);
  const { turn, span, sink } = requested;
  // Some servers do not stream.
  const text = await body.text(options.maxBodyBytes);
  if (text === undefined) throw new UpstreamFailure({ kind: 'too-large', status });
  const received = jsonValue(text);
  span.note(responseAttributes(received));
  const answer = readAnswer(received, turn, options.newCallId);
  if (answer === undefined || answer === 'empty') throw new UpstreamFailure({ kind: answer ?? 'unreadable', status });
  await sink.write(deltasOf(answer));
}

async function handOutEvents(
  body: ReceivedBody,
  { turn, span, sink }: RequestedStream,
  { newCallId, maxBodyBytes, eventLimits = standardLimits, usageWaitMs = 5000 }: StreamOptions,
): Promise<void> {
  const chunks = new ChunkReader(turn, newCallId, maxBodyBytes, (chunk) => span.note(responseAttributes(chunk)));
  const events = new EventReader(eventLimits);
  let timer: NodeJS.Timeout | undefined;
  let turnedMs = performance.now();
  try {
    for (let bytes = await body.next(); bytes; bytes = await body.next()) {
      let count = 0;
      for (const data of events.read(bytes)) {
        if (++count % burstEvents === 0) await nextTurn();
        await sink.write(chunks.read(data));
      }
      if (chunks.isDone) break;
      if (bytes.length > burstBytes && performance.now() - turnedMs > burstMs) {
        await nextTurn();
        turnedMs = performance.now();
      }
      if (chunks.isFinished) timer ??= setTimeout(() => body.leave(), usageWaitMs);
    }
  } catch (error) {
    // The answer is there, and only its usage is not.
    if (!chunks.isFinished || sink.hasRejected) throw error;
  } finally {
    clearTimeout(timer);
  }
  await sink.write(chunks.end());
}
