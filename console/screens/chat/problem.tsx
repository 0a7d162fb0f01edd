import { ApiError } from '../../app/api-error.ts';
import { messages } from '../../app/messages.ts';
import { Problem } from '../../ui/problem.tsx';

/** Returns an error of the AI gateway in the language of the console, if there is a message for it. */
export function aiErrorText(code: string): string | undefined {
  const known: Readonly<Record<string, string>> = messages().chat.errors;
  return known[code];
}

/** An error of the AI gateway in plain language. */
export function AiProblem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const text = error instanceof ApiError ? aiErrorText(error.code) : undefined;
  const shown =
    error instanceof ApiError && text !== undefined
      ? new ApiError(error.status, error.code, text, { retryAfterSeconds: error.retryAfterSeconds })
      : error;
  return <Problem error={shown} {...(onRetry && { onRetry })} />;
}
