import type { EventStream, ReplyHeaders } from '#generated/router.ts';
import type { ChatModel } from '#server/domain/chat/chat-model.ts';
import type { Completion } from '#server/domain/chat/completion.ts';
import {
  createCompletion,
  streamCompletion,
  type CompletionDelta,
  type CompletionDeps,
  type CompletionRequest,
} from '#server/domain/chat/create-completion.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from './call.ts';
import { announcing } from './chat-budgets.ts';
import { quotaOf } from './chat-quotas.ts';
import { openDeltaStream, type DeltaWriter } from './delta-stream.ts';
import type { Ports } from './ports.ts';

/** The dependencies of all requests that ask the model, whatever their format. */
export interface AskingDeps
  extends
    Omit<CompletionDeps, 'model' | 'ids' | 'metadata' | 'onBudgets' | 'onUnanswered' | 'onCharged'>,
    Pick<Ports, 'clock' | 'ids' | 'metadata'> {
  readonly model: ChatModel;
  readonly streaming: StreamingConfig;
  /** Counts the outcome of a request with a valid body. */
  noteCompletion(outcome: string, completion?: Completion): void;
}

/** Whether answers may be streamed, and how. */
export interface StreamingConfig {
  readonly isOn: boolean;
  /** How long nothing may come before a comment keeps the connection open; null without comments. */
  readonly keepAliveMs: number | null;
}

/** A conversation, as a format has read it. */
export type Conversation = Pick<CompletionRequest, 'turn' | 'words'>;

/** A conversation, and the name of the model that is to continue it. */
export type Asked = Conversation & Pick<CompletionRequest, 'model'>;

/** Completes a turn, and notes its figures for the log and the metrics. */
export async function completed(deps: AskingDeps, asked: Asked, call: Call): Promise<Completion> {
  const asking = askingOf(deps, asked, call);
  let completion: Completion | undefined;
  try {
    completion = await createCompletion(asking.deps, asking.request);
    noteAnswer(call, completion);
    return completion;
  } catch (error) {
    asking.failed(error);
    throw error;
  } finally {
    asking.ended(completion);
  }
}

/**
 * Streams the answer to a turn, with the same notes.
 *
 * @throws stream_not_supported
 */
export async function streamed(
  deps: AskingDeps,
  asked: Asked,
  call: Call,
  writer: DeltaWriter<CompletionDelta>,
): Promise<EventStream> {
  if (!deps.streaming.isOn) throw new Refusal('stream_not_supported');
  return openDeltaStream(notedDeltas(askingOf(deps, asked, call), call), writer, deps.streaming);
}

/** Returns the headers of an answer. */
export function headersOf({ model }: Pick<AskingDeps, 'model'>): { readonly headers?: ReplyHeaders } {
  return model.isDevelopmentResponder ? { headers: { 'X-Cubby-Responder': 'development' } } : {};
}

async function* notedDeltas(asking: Asking, call: Call): AsyncGenerator<CompletionDelta, void> {
  let completion: Completion | undefined;
  try {
    for await (const delta of streamCompletion(asking.deps, asking.request)) {
      if (delta.type === 'end') {
        ({ completion } = delta);
        noteAnswer(call, completion);
      }
      yield delta;
    }
  } catch (error) {
    asking.failed(error);
    throw error;
  } finally {
    asking.ended(completion);
  }
}

/** One request to the model. */
interface Asking {
  readonly deps: CompletionDeps;
  readonly request: CompletionRequest;
  failed(error: unknown): void;
  /** Called once, also after a failure. */
  ended(completion: Completion | undefined): void;
}

function askingOf(deps: AskingDeps, asked: Asked, call: Call): Asking {
  const { caller, signal, note } = call;
  const { account, key } = caller;
  const timing = timed(deps.model);
  note({ model: asked.model });
  let outcome = 'aborted';
  return {
    deps: {
      ...deps,
      model: timing.model,
      onBudgets: announcing(call, deps.clock),
      onUnanswered: (reason) => note({ reason }),
      onCharged: ({ inputTokens, outputTokens }) => note({ input_tokens: inputTokens, output_tokens: outputTokens }),
    },
    request: { account, keyId: key.id, keyLimits: key.ai, quota: quotaOf(account.plan), ...asked, signal },
    failed: (error) => void (outcome = error instanceof Refusal ? error.code : signal.aborted ? 'aborted' : 'fault'),
    ended(completion) {
      note({ model_ms: Math.round(timing.totalMs() * 10) / 10 });
      deps.noteCompletion(completion ? 'answered' : outcome, completion);
    },
  };
}

function noteAnswer({ note }: Call, { usage, rounds, searches }: Completion): void {
  note({
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    model_rounds: rounds,
    searches: searches.answered + searches.failed,
    ...(usage.isEstimated && { usage_estimated: true }),
  });
}

/** Wraps the model to measure the total time of its calls. */
function timed(model: ChatModel): { readonly model: CompletionDeps['model']; totalMs(): number } {
  let totalMs = 0;
  async function measured<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      totalMs += performance.now() - startedAt;
    }
  }
  return {
    model: {
      complete: (...asked) => measured(() => model.complete(...asked)),
      async *stream(...asked) {
        const deltas = model.stream(...asked);
        try {
          for (;;) {
            const next = await measured(() => deltas.next());
            if (next.done) return;
            yield next.value;
          }
        } finally {
          await deltas.return();
        }
      },
    },
    totalMs: () => totalMs,
  };
}
