import type { Refusal } from '#server/domain/refusal.ts';
import { overPage } from '../pages/share-over.ts';
import { passwordPage } from '../pages/share-password.ts';
import type { RenderedPage } from '#server/pages/layout.ts';
import type { ShareOverView, SharePasswordView } from '../pages/share-view.ts';
import type { Call } from '#server/handlers/call.ts';
import { refusingAsPage } from '#server/handlers/refused-page.ts';

const reasons: { readonly [code in string]?: ShareOverView['reason'] } = {
  SHARE_EXHAUSTED: 'exhausted',
  SHARE_EXPIRED: 'expired',
  SHARE_NOT_FOUND: 'not-found',
};

/** The fields of the password page that do not depend on the visitor. */
type PasswordPage = Omit<SharePasswordView, 'acceptLanguage'>;

/**
 * Runs `work` and turns its refusals into pages for people: the reason why the link gives nothing, or the password
 * form.
 *
 * @param password left out if the password was given before
 */
export function refusingSharePage<T>(call: Call, work: () => Promise<T>, password?: PasswordPage): Promise<T> {
  return refusingAsPage(call, (refusal, acceptLanguage) => pageOf(refusal, acceptLanguage, password), work);
}

function pageOf(
  { code, retryAfterSeconds }: Refusal,
  acceptLanguage: string | undefined,
  password: PasswordPage | undefined,
): RenderedPage | undefined {
  if (code === 'SHARE_PASSWORD_REQUIRED' && password) return passwordPage({ acceptLanguage, ...password });
  // After too many tries the visitor stays at the form.
  if (code === 'RATE_LIMITED' && password)
    return passwordPage({ acceptLanguage, ...password, problem: { waitSeconds: retryAfterSeconds ?? 1 } });
  const reason = reasons[code];
  return reason && overPage({ acceptLanguage, reason });
}
