import { badge } from '#server/pages/badge.ts';
import { html } from '#server/pages/html.ts';
import type { RenderedPage } from '#server/pages/layout.ts';
import type { RequestOverView } from './request-view.ts';
import { requestPage } from './request-page.ts';

const badges = { closed: 'lock', expired: 'clock', full: 'empty', 'not-found': 'broken' } as const;

/** Renders the page of a file request that takes nothing: the reason, and what the sender can do. */
export function requestOverPage({ acceptLanguage, reason, up }: RequestOverView): RenderedPage {
  return requestPage(acceptLanguage, ({ request }) => {
    const { title, text } = request.over[reason];
    return { up, title, above: badge(badges[reason]), body: html`<p>${text}</p>` };
  });
}
