/** Pages of these have no origin that could be told from another one's: they send `null`. */
const withoutOrigin: readonly string[] = ['file:', 'data:', 'blob:', 'about:', 'javascript:'];

/**
 * Reads an origin, and answers it as browsers write it in `Origin`: `https://App.Example:443` is `https://app.example`.
 * `undefined` for what no browser sends: a path, a user, a wildcard, a scheme without hosts. Origins of browser extensions
 * and of apps (`chrome-extension://…`, `capacitor://localhost`) are some as well.
 *
 * @see https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
 */
export function parseOrigin(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\*\s\p{C}]+$/u.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname } = new URL(text);
  if (withoutOrigin.includes(protocol) || host === '' || pathname.length > 1) return undefined;
  return `${protocol}//${host}`;
}
