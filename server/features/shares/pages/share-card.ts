import { fileIcon } from '#server/pages/file-kind.ts';
import { sizeText } from '#server/pages/formats.ts';
import { html, type Html } from '#server/pages/html.ts';
import { localPage, type RenderedPage } from '#server/pages/layout.ts';
import type { ShareCardView } from './share-view.ts';
import { isolatedName, shownName } from '#server/pages/shown-name.ts';
import type { Messages } from '#server/pages/messages/messages.ts';

/**
 * Renders the page for link-preview robots: name, kind and size. For a file with a password it shows nothing. It offers
 * a link to people who were taken for a robot.
 */
export function cardPage(view: ShareCardView): RenderedPage {
  return localPage(view.acceptLanguage, (messages) => {
    const { title, text } = cardText(view, messages);
    return {
      up: '../',
      title,
      ...(view.file && { heading: isolatedName(view.file.title ?? view.file.name), above: fileIcon(view.file.kind) }),
      head: cardTags(view, messages),
      body: html`<p class="what">${text}</p>
        <p class="hint">${messages.cardForPeople.text}</p>
        <p class="buttons"><a class="button" href="${view.url}" rel="nofollow">${messages.cardForPeople.open}</a></p>`,
    };
  });
}

type Card = Pick<ShareCardView, 'file'> & { readonly url?: string; readonly imageUrl?: string | undefined };

function cardText(
  { file }: Card,
  { hiddenCard, kinds, locale }: Messages,
): { readonly title: string; readonly text: string } {
  if (!file) return hiddenCard;
  const what = `${kinds[file.kind]} · ${sizeText(file.sizeBytes, locale)}`;
  const named = file.title === null ? what : `${shownName(file.name)} · ${what}`;
  return {
    title: shownName(file.title ?? file.name),
    text: file.message === null ? named : `${shownName(file.message.replace(/\s+/g, ' '))} — ${named}`,
  };
}

/**
 * Returns the head's tags for link previews.
 *
 * @see https://ogp.me/
 */
export function cardTags(card: Card, messages: Messages): Html {
  const { title, text } = cardText(card, messages);
  const { url, imageUrl } = card;
  return html`<meta name="description" content="${text}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="Cubby" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${text}" />
    ${url === undefined ? undefined : html`<meta property="og:url" content="${url}" />`}
    ${imageUrl === undefined ? undefined : html`<meta property="og:image" content="${imageUrl}" />`}
    <meta property="og:locale" content="${messages.locale.replace('-', '_')}" />
    <meta name="twitter:card" content="${imageUrl === undefined ? 'summary' : 'summary_large_image'}" />`;
}
