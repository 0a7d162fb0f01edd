import { messagesErrorTypes } from '#generated/errors.ts';

/** An error of the AI gateway. */
interface AiError {
  readonly status: number;
  readonly message: string;
  readonly code: string;
}

/** An error as chat clients read it. */
interface ChatError {
  readonly message: string;
  readonly type: string;
  readonly param: null;
  readonly code: string;
}

/** An error as clients of the Messages API read it. Its `code` is that of the AI gateway. */
interface MessagesError {
  readonly type: 'error';
  readonly error: { readonly type: string; readonly message: string; readonly code: string };
}

/** Returns an error in the form of chat clients. */
export function chatError({ status, message, code }: AiError): ChatError {
  return { message, type: chatErrorType(status), param: null, code };
}

function chatErrorType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

const messagesTypes: Readonly<Record<number, string>> = messagesErrorTypes;

/** Returns an error in the form of the Messages API. */
export function messagesError({ status, message, code }: AiError): MessagesError {
  return { type: 'error', error: { type: messagesTypes[status] ?? messagesErrorTypes.other, message, code } };
}
