import type { Refusal } from '#server/domain/refusal.ts';
import type { RenderedPage } from '#server/pages/layout.ts';
import { requestOverPage } from '../pages/request-over.ts';
import type { RequestOverView } from '../pages/request-view.ts';
import { passwordPage } from '#server/features/shares/pages/share-password.ts';
import type { Call } from '#server/handlers/call.ts';
import { refusingAsPage } from '#server/handlers/refused-page.ts';

const reasons: { readonly [code in string]?: RequestOverView['reason'] } = {
  FILE_REQUEST_CLOSED: 'closed',
  FILE_REQUEST_EXPIRED: 'expired',
  FILE_REQUEST_FULL: 'full',
  FILE_REQUEST_NOT_FOUND: 'not-found',
};

/** Where a page of a request is. */
interface Place {
  readonly link: string;
  /** The number of segments behind the address of the request. */
  readonly below: 0 | 1;
  /** Whether a password was just given. */
  readonly isAttempt?: true;
}

/**
 * Runs `work` and turns its refusals into pages for people: the reason why the request takes nothing, or the password
 * form. A refusal that has its page already stays as it is.
 */
export function refusingRequestPage<T>(call: Call, place: Place, work: () => Promise<T>): Promise<T> {
  return refusingAsPage(call, (refusal, acceptLanguage) => pageOf(refusal, acceptLanguage, place), work);
}

function pageOf(
  { code, retryAfterSeconds }: Refusal,
  acceptLanguage: string | undefined,
  { link, below, isAttempt }: Place,
): RenderedPage | undefined {
  const up = '../'.repeat(below + 1);
  const isRequested = code === 'FILE_REQUEST_PASSWORD_REQUIRED';
  if (isRequested || (isAttempt && code === 'RATE_LIMITED'))
    return passwordPage({
      acceptLanguage,
      problem: isRequested ? isAttempt && 'wrong' : { waitSeconds: retryAfterSeconds ?? 1 },
      publicOrigin: undefined,
      action: below === 0 ? `${link}/password` : 'password',
      up,
    });
  const reason = reasons[code];
  return reason && requestOverPage({ acceptLanguage, reason, up });
}
