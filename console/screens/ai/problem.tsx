import { ApiError } from '../../app/api-error.ts';
import { words } from '../../app/words.ts';
import { Problem } from '../../ui/problem.tsx';

/** Returns an error of the AI gateway in the language of the console, if there are words for it. */
export function aiErrorWords(code: string): string | undefined {
  const known: Readonly<Record<string, string>> = words().ai.errors;
  return known[code];
}

/** An error of the AI gateway in plain words. */
export function AiProblem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const text = error instanceof ApiError ? aiErrorWords(error.code) : undefined;
  const shown =
    error instanceof ApiError && text !== undefined
      ? new ApiError(error.status, error.code, text, { retryAfterSeconds: error.retryAfterSeconds })
      : error;
  return <Problem error={shown} {...(onRetry && { onRetry })} />;
}
