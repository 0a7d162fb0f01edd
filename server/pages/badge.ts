import { html, type Html } from './html.ts';
import { icon } from './icon.ts';

const drawings = {
  lock: html`<rect x="5" y="11" width="14" height="9.5" rx="1.5" /><path d="M8 11V8a4 4 0 0 1 8 0v3M12 14.5v2.5" />`,
  clock: html`<circle cx="12" cy="12" r="8.5" /><path d="M12 7v5l3.5 2" />`,
  empty: html`<path
    d="M3.5 13.5H8l1.5 2.5h5l1.5-2.5h4.5M3.5 13.5V18A1.5 1.5 0 0 0 5 19.5h14a1.5 1.5 0 0 0 1.5-1.5v-4.5
      l-3.2-8a1.5 1.5 0 0 0-1.4-1H8.1a1.5 1.5 0 0 0-1.4 1z"
  />`,
  broken: html`<path
    d="M11.2 7.1 13.3 5A4 4 0 0 1 19 10.7l-2.1 2.1M12.8 16.9 10.7 19A4 4 0 0 1 5 13.3l2.1-2.1M4.5 4.5l15 15"
  />`,
  warning: html`<path d="M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.1" />`,
} as const;

/** Returns the picture above a page that shows no file. */
export function badge(kind: keyof typeof drawings): Html {
  return icon(drawings[kind]);
}
