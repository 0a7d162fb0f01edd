import { badge } from '#server/pages/badge.ts';
import { html } from '#server/pages/html.ts';
import { localPage, type RenderedPage } from '#server/pages/layout.ts';
import type { ShareOverView } from './share-view.ts';

const badges = { exhausted: 'empty', expired: 'clock', 'not-found': 'broken' } as const;

/** Renders the page of a dead link: the reason, and what the recipient can do. */
export function overPage({ acceptLanguage, reason }: ShareOverView): RenderedPage {
  return localPage(acceptLanguage, ({ over }) => {
    const { title, text } = over[reason];
    return { up: '../', title, above: badge(badges[reason]), body: html`<p>${text}</p>` };
  });
}
