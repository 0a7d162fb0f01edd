import { errors } from '#generated/errors.ts';
import { refusalMessage } from '#server/domain/refusal-message.ts';
import { chatError } from './ai-error.ts';

/** An error as a stream learns it. */
export interface StreamError {
  readonly code: string;
  readonly ownMessage?: string;
  readonly detail?: string;
}

/** Returns the code of an error with its status and message, for a stream whose status is sent already. */
export function meaningOfStreamError(error: StreamError): {
  readonly status: number;
  readonly message: string;
  readonly code: string;
} {
  const table: Readonly<Record<string, { readonly status: number; readonly message: string }>> = errors.ai;
  const meaning = table[error.code] ?? errors.ai.internal_server_error;
  return {
    status: meaning.status,
    message: refusalMessage({ ownMessage: error.ownMessage, detail: error.detail }, meaning.message),
    code: error.code in table ? error.code : 'internal_server_error',
  };
}

/** Returns the error object of a refusal, for a stream whose status is sent already. */
export function chatErrorOf(error: StreamError): ReturnType<typeof chatError> {
  return chatError(meaningOfStreamError(error));
}
