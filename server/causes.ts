/** Returns the message of an error, and those of its causes that it does not repeat itself. */
export function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (cause === undefined || (cause instanceof Error && message.includes(cause.message.replace(/\.$/, ''))))
    return message;
  return `${message} (${withCauses(cause)})`;
}
