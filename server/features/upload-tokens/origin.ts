/** Pages with these schemes have no origin of their own: they send `null`. */
const withoutOrigin: readonly string[] = ['file:', 'data:', 'blob:', 'about:', 'javascript:'];

/**
 * Reads an origin, and returns it as browsers send it in `Origin`: `https://App.Example:443` becomes
 * `https://app.example`. Returns undefined for a text that no browser sends: a path, a user, a wildcard, a scheme
 * without hosts. Browser extensions and apps have origins too (`chrome-extension://…`, `capacitor://localhost`).
 *
 * @see https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
 */
export function parseOrigin(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\*\s\p{C}]+$/u.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname } = new URL(text);
  if (withoutOrigin.includes(protocol) || host === '' || pathname.length > 1) return undefined;
  return `${protocol}//${host}`;
}
