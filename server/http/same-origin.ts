/** The headers with which a browser describes the page that sends a form. */
export interface FormSource {
  /** `Origin` */
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site` */
  readonly fetchSite: string | undefined;
}

/**
 * Returns false if the headers show that another site sent the form. Browsers send `Sec-Fetch-Site` only over https or
 * to localhost. A page without a referrer sends `Origin: null`, even to its own site. If both headers are missing, the
 * form's own token decides.
 *
 * @see https://www.w3.org/TR/fetch-metadata/ and https://fetch.spec.whatwg.org/#append-a-request-origin-header
 */
export function mayBeSameOrigin({ origin, fetchSite }: FormSource, ownOrigin: string): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false;
  return origin === undefined || origin === 'null' || origin === ownOrigin;
}

/**
 * Returns whether a page of the own origin sent a request, as far as its headers say. A browser says it by itself in
 * `Sec-Fetch-Site`, whatever address it knows the server by. So that header alone decides if it is there.
 */
export function isFromOwnPage({ origin, fetchSite }: FormSource, ownOrigin: string): boolean {
  if (fetchSite !== undefined) return fetchSite === 'same-origin';
  return origin === undefined || origin === ownOrigin;
}
