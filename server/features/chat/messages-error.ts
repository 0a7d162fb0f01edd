import { messagesErrorTypes } from '#generated/errors.ts';

/** An error as clients of the Messages API read it. Its `code` is that of the AI gateway. */
interface MessagesError {
  readonly type: 'error';
  readonly error: { readonly type: string; readonly message: string; readonly code: string };
}

const types: Readonly<Record<number, string>> = messagesErrorTypes;

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
  return { type: 'error', error: { type: types[status] ?? messagesErrorTypes.other, message, code } };
}
