import { html, type Html } from './html.ts';

const drawings = {
  lock: html`<rect x="5" y="11" width="14" height="9.5" rx="1.5"/><path d="M8 11V8a4 4 0 0 1 8 0v3M12 14.5v2.5"/>`,
  clock: html`<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5l3.5 2"/>`,
  empty: html`<path d="M12 3.5v9M8.5 9.5 12 13l3.5-3.5M4 14.5v4A1.5 1.5 0 0 0 5.5 20h13a1.5 1.5 0 0 0 1.5-1.5v-4M3.5 3.5l17 17"/>`,
  broken: html`<path d="M9.5 14.5a4 4 0 0 1 0-5.6L12 6.4a4 4 0 0 1 5.7 5.7L16.5 13.3M14.5 9.5M7.5 10.7 6.3 11.9a4 4 0 0 0 5.7 5.7l1.2-1.2M4 4l16 16"/>`,
} as const;

/** The picture above a page that shows no file. It says nothing that the heading does not. */
export function badge(kind: keyof typeof drawings): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="48" height="48" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${drawings[kind]}</svg>`;
}
