/**
 * Whether a client asks for a page, as browsers do: `Accept` names HTML, and prefers nothing else that it names less
 * plainly.
 * `*` alone is no wish for one.
 * @see RFC 9110, section 12.5.1
 */
export function asksForHtml(accept: string | undefined): boolean {
  const ranges = (accept ?? '').toLowerCase().split(',').map(mediaRange);
  const html = Math.max(
    0,
    ...ranges.filter(({ type }) => type === 'text/html' || type === 'application/xhtml+xml').map(({ q }) => q),
  );
  const anything = Math.max(0, ...ranges.filter(({ type }) => type === '*/*').map(({ q }) => q));
  return html > 0 && html >= anything;
}

function mediaRange(text: string): { readonly type: string; readonly q: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters
    .map((parameter) => /^q\s*=\s*(\d(?:\.\d{0,3})?)$/.exec(parameter)?.[1])
    .find((q) => q !== undefined);
  return { type, q: weight === undefined ? 1 : Number(weight) };
}
