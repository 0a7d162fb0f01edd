import { ApiError } from '../app/api-error.ts';
import { config } from '../app/config.ts';
import { messages } from '../app/messages.ts';
import { formatNumber } from '../format.ts';
import { Button } from './button.tsx';

/** Returns an error in plain language. Codes that have no message of their own have the server's message. */
export function errorText(error: unknown): string {
  const { errors, common } = messages();
  if (!(error instanceof ApiError)) return common.unexpected;
  const known: Readonly<Record<string, string>> = errors;
  const text = known[error.code] ?? error.message;
  return error.retryAfterSeconds === undefined
    ? text
    : `${text} ${common.retryAfter(formatNumber(error.retryAfterSeconds))}`;
}

/** The code of an error, with a link to its page in the documentation. */
export function ErrorCode({ code }: { readonly code: string }) {
  const docs = config().docs_url;
  if (docs === null || !/^[A-Z0-9_]+$/.test(code) || code === 'NETWORK' || code === 'UNKNOWN')
    return <code>{code}</code>;
  return (
    <a href={`${docs}errors/${code}`} target="_blank" rel="noreferrer">
      <code>{code}</code>
    </a>
  );
}

/** An error where it happened, in plain language, with its code. */
export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>
        {errorText(error)} {error instanceof ApiError && <ErrorCode code={error.code} />}
      </p>
      {onRetry && <Button onClick={onRetry}>{messages().common.retry}</Button>}
    </div>
  );
}
