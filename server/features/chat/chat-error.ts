import { errors } from '#generated/errors.ts';
import { refusalMessage } from '#server/domain/refusal-message.ts';

/** Returns the error type of chat clients for a status. */
export function chatErrorType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** The error object of chat clients. */
interface ChatErrorObject {
  readonly message: string;
  readonly type: string;
  readonly param: null;
  readonly code: string;
}

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
export function chatErrorOf(error: StreamError): ChatErrorObject {
  const { status, message, code } = meaningOfStreamError(error);
  return { message, type: chatErrorType(status), param: null, code };
}
