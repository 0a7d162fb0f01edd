import { ChatModelUnavailable } from '../models/chat-model.ts';
import { Refusal } from '#server/domain/refusal.ts';

/**
 * Returns the error for a conversation that is longer than the model's context. The contract's own message names the
 * plan's limit instead.
 */
export function tooLong(): Refusal {
  const message =
    'The messages and tool definitions, with max_tokens for the answer, are longer than the model takes. ' +
    'Send less history, or a lower max_tokens.';
  return new Refusal('context_length_exceeded', { message });
}

/** Returns the error for a request that the model's server rejected. */
export function refused(): Refusal {
  const message =
    'The model refused this request. Each tool message must answer a tool call of the assistant message before it; ' +
    'and not every model takes tools or every response_format.';
  return new Refusal('invalid_request', { message });
}

/** Whether a request was given up because of its time limit, and not because its client disconnected. */
export function isOverTime(signal: AbortSignal): boolean {
  return (signal.reason as Error | undefined)?.name === 'TimeoutError';
}

/** Returns the error for a request whose signal has aborted. */
export function givenUp(signal: AbortSignal): ChatModelUnavailable {
  return new ChatModelUnavailable(
    isOverTime(signal) ? 'No answer came in time.' : 'Nobody waits for the answer any more.',
  );
}
