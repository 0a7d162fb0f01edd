import { html, type Html } from './html.ts';

/** Returns a picture from lines within 24 × 24. It only decorates, so screen readers skip it. */
export function icon(lines: Html): Html {
  return html`<svg
    class="icon"
    viewBox="0 0 24 24"
    width="48"
    height="48"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    ${lines}
  </svg>`;
}
