import { Refusal } from '#server/domain/refusal.ts';
import { addressBucket } from '#server/http/client-address.ts';
import { isFromOwnPage } from '#server/http/same-origin.ts';
import type { Call } from './call.ts';
import { keepsSecureCookies } from './session-cookies.ts';

export interface SignInDeps {
  /** The address of the host, as browsers see it. */
  readonly ownUrl: string;
  /** Counts failed sign-ins with the wrong credentials of all other requests. An address names its bucket. */
  readonly failures: { refuseBlocked(address: string): Promise<void>; countFailure(address: string): Promise<void> };
}

/**
 * Refuses a sign-in before its key is read.
 *
 * @throws CSRF_TOKEN_INVALID when a page of another site signs in, with a key of its own
 * @throws HTTPS_REQUIRED when browsers would drop the cookie
 * @throws RATE_LIMITED while the address is blocked
 */
export async function requireSignInPage(
  { ownUrl, failures }: SignInDeps,
  { client, browser }: Pick<Call, 'client' | 'browser'>,
): Promise<void> {
  if (!isFromOwnPage(browser, new URL(ownUrl).origin)) throw new Refusal('CSRF_TOKEN_INVALID');
  if (!keepsSecureCookies(ownUrl)) throw new Refusal('HTTPS_REQUIRED');
  await failures.refuseBlocked(addressBucket(client.address));
}

/** Runs a sign-in of a browser, and counts a wrong key. @throws RATE_LIMITED after too many wrong keys */
export async function guardedSignIn<Signed>(
  { failures }: SignInDeps,
  { client }: Pick<Call, 'client'>,
  signIn: () => Promise<Signed>,
): Promise<Signed> {
  return signIn().catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === 'ACCESS_DENIED')
      await failures.countFailure(addressBucket(client.address));
    throw error;
  });
}
