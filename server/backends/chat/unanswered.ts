import { ChatModelUnavailable } from '#server/domain/chat/chat-model.ts';
import { Refusal } from '#server/domain/refusal.ts';

/** What is longer than the model takes. The contract's own words name the window of the plan, which was kept. */
export function tooLong(): Refusal {
  const message =
    'The messages and tool definitions, with max_tokens for the answer, are longer than the model takes. Send less history, or a lower max_tokens.';
  return new Refusal('context_length_exceeded', { message });
}

/** What the model's server does not take. */
export function refused(): Refusal {
  const message =
    'The model refused this request. Each tool message must answer a tool call of the assistant message before it; and not every model takes tools or every response_format.';
  return new Refusal('invalid_request', { message });
}

/** Whether a request was given up because its time was over, not because whoever asked went away. */
export function isOverTime(signal: AbortSignal): boolean {
  return (signal.reason as Error | undefined)?.name === 'TimeoutError';
}

/** The end of a request whose signal is aborted. */
export function givenUp(signal: AbortSignal): ChatModelUnavailable {
  return new ChatModelUnavailable(
    isOverTime(signal) ? 'No answer came in time.' : 'Nobody waits for the answer any more.',
  );
}
