import { badge } from './badge.ts';
import { html } from './html.ts';
import { languageOf } from './language.ts';
import { localHeaders, renderPage } from './layout.ts';
import type { ShareOverView, SharePage } from './share-view.ts';
import { wordsIn } from './words/words.ts';

const badges = { exhausted: 'empty', expired: 'clock', 'not-found': 'broken' } as const;

/** Renders the page of a dead link: the reason, and what the recipient can do. */
export function overPage({ acceptLanguage, reason }: ShareOverView): SharePage {
  const language = languageOf(acceptLanguage);
  const { title, text } = wordsIn(language).over[reason];
  return {
    page: renderPage({ language, up: '../', title, above: badge(badges[reason]), body: html`<p>${text}</p>` }),
    headers: localHeaders(language),
  };
}
