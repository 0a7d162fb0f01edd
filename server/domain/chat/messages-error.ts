/** An error as clients of the Messages API read it. Its `code` is that of the AI gateway. */
export interface MessagesError {
  readonly type: 'error';
  readonly error: { readonly type: string; readonly message: string; readonly code: string };
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'overloaded_error',
};

/** Returns an error in the form of messages. */
export function messagesError({
  status,
  message,
  code,
}: {
  readonly status: number;
  readonly message: string;
  readonly code: string;
}): MessagesError {
  return { type: 'error', error: { type: types[status] ?? 'invalid_request_error', message, code } };
}
