/** What a browser says of the page from which a form comes. */
export interface FormSource {
  /** `Origin`, or undefined. */
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, or undefined. */
  readonly fetchSite: string | undefined;
}

/**
 * Whether nothing speaks against a form having been sent by a page of `ownOrigin`. Browsers send `Sec-Fetch-Site` only
 * over https or to the machine itself, and from a page without referrer they send `Origin: null`, also to their own
 * site; where both are silent, the form's own token decides.
 *
 * @see https://www.w3.org/TR/fetch-metadata/ and https://fetch.spec.whatwg.org/#append-a-request-origin-header
 */
export function mayBeSameOrigin({ origin, fetchSite }: FormSource, ownOrigin: string): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false;
  return origin === undefined || origin === 'null' || origin === ownOrigin;
}
