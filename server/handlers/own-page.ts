import { Refusal } from '#server/domain/refusal.ts';
import { mayBeSameOrigin } from '#server/http/same-origin.ts';
import type { Call } from './call.ts';

/**
 * Checks that a page of this server has sent a form.
 *
 * @param address an address at the origin of the page
 * @throws INVALID_FORM_TOKEN if the headers show another site
 */
export function requireOwnPage(address: string, { browser }: Pick<Call, 'browser'>): void {
  if (!mayBeSameOrigin(browser, new URL(address).origin)) throw new Refusal('INVALID_FORM_TOKEN');
}
