import { html, type Html } from './html.ts';
import { icon } from './icon.ts';
import type { FileKind } from './messages/messages.ts';

/** The drawing on each icon, within 24 × 24. */
const drawings: Readonly<Record<FileKind, Html>> = {
  image: html`<circle cx="9.5" cy="12" r="1.2" /><path d="m6.5 18 3.5-3.5 2 2 2.5-2.5 3 3.2" />`,
  audio: html`<path d="M10 17v-5.5l4.5-1V16" /><circle cx="8.7" cy="17" r="1.3" /><circle cx="13.2" cy="16" r="1.3" />`,
  video: html`<path d="m10 11.5 4.5 3-4.5 3z" />`,
  pdf: html`<path d="M8 18c2-1 4.5-5 4-7.5s-1.7.5 0 3.5 2.8 2.2 4 2-1-1.2-4-.5-5 2.5-4 2.5z" />`,
  text: html`<path d="M8.5 12h7M8.5 15h7M8.5 18h4" />`,
  archive: html`<path d="M11.5 3v1.5M11.5 6.5V8M11.5 10v1.5" /><path d="M10 14h3v4h-3z" />`,
  document: html`<path d="M8.5 10h3M8.5 13h7M8.5 16h7" />`,
  sheet: html`<path d="M8 11.5h8v6.5H8zM8 14.7h8M11.5 11.5v6.5" />`,
  slides: html`<path d="M7.7 11.5h8.6v5H7.7zM12 16.5v2" />`,
  other: html``,
};

/** Returns the icon of a kind: a sheet with a folded corner. Text beside it says the same. */
export function fileIcon(kind: FileKind): Html {
  return icon(
    html`<path d="M6 2.5h8.5l4 4V20a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 20V4A1.5 1.5 0 0 1 6 2.5z" />
      <path d="M14.5 2.5v4h4" />
      ${drawings[kind]}`,
  );
}
