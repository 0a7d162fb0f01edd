import { html, type Html } from '#server/pages/html.ts';
import type { RefusedFileView } from './request-view.ts';
import { isolatedName } from '#server/pages/shown-name.ts';
import type { PageCode } from '#server/pages/messages/messages.ts';
import type { RequestTexts } from './request-page.ts';

/** More would make a page that nobody reads. */
const maxShown = 100;

/** Renders the files that were not stored, each with its reason. */
export function refusedList(
  refused: readonly RefusedFileView[],
  { failure, locale, sent }: RequestTexts,
): Html | undefined {
  if (refused.length === 0) return undefined;
  const items = refused.slice(0, maxShown).map(({ name, code, message }) => {
    const reason = locale === 'en-GB' ? message : (failure.reasons[code as PageCode] ?? message);
    return html`<li>${isolatedName(name)}<br /><span class="quiet">${reason}</span></li>`;
  });
  return html`<h2>${sent.notStored}</h2>
    <ul class="files">
      ${items}
    </ul>`;
}
