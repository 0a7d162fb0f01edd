import { html, type Html } from './html.ts';

const faces = html`<path d="M64 10 112 36 64 62 16 36Z" fill="#ffd166" />
  <path d="M16 36 64 62V118L16 92Z" fill="#ef8354" />
  <path d="M112 36 64 62V118L112 92Z" fill="#4f6d7a" />
  <path d="M28 58 52 71V92L28 79Z" fill="#fff3e6" />
  <path d="M76 71 100 58V79L76 92Z" fill="#e0ebf0" />`;

/** The service's logo within a page. The name beside it says the same. */
export const logo: Html = html`<svg viewBox="0 0 128 128" width="28" height="28" aria-hidden="true" focusable="false">
  ${faces}
</svg>`;

/** The logo as a file, for the browser tab. */
export const logoFile: string = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128">${faces}</svg>`.text;
