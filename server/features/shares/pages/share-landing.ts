import { fileIcon } from '#server/pages/file-kind.ts';
import { countText, sizeText } from '#server/pages/formats.ts';
import { html, type Html } from '#server/pages/html.ts';
import { localPage, type Page, type RenderedPage } from '#server/pages/layout.ts';
import { fact, messageOf, untilText } from './facts.ts';
import { cardTags } from './share-card.ts';
import { previewOf, previewSources } from './share-preview.ts';
import type { ShareFileView, ShareForm } from './share-view.ts';
import { isolatedName, shownName } from '#server/pages/shown-name.ts';
import type { Messages } from '#server/pages/messages/messages.ts';

/** Renders the page before a download: the file's details, a preview if allowed, and the download button. */
export function landingPage(view: ShareFileView): RenderedPage {
  return localPage(view.acceptLanguage, (messages) => ({
    ...landingIn(messages, view),
    shows: view.preview && previewSources[view.preview.kind],
    // The button of a public file leads to its public address.
    ...(view.form && view.publicOrigin !== undefined && { formLeadsTo: view.publicOrigin }),
  }));
}

function landingIn(messages: Messages, view: ShareFileView): Omit<Page, 'language'> {
  const { landing, locale } = messages;
  const name = view.title === null ? undefined : html`${isolatedName(view.name)}<br />`;
  return {
    up: '../',
    title: shownName(view.title ?? view.name),
    heading: isolatedName(view.title ?? view.name),
    head: view.hasPassword ? html`` : cardTags({ file: view }, messages),
    above: html`<p class="intro">${landing.intro}</p>
      ${fileIcon(view.kind)}`,
    body: html`${messageOf(view.message)}
      <p class="what">${name}${messages.kinds[view.kind]} · ${sizeText(view.sizeBytes, locale)}</p>
      ${previewOf(view, messages)}
      ${view.form ? openingForm(view.form, downloadButton(landing.download)) : linksOf(view, messages)}
      ${factsOf(view, messages)} ${view.sha256 === null ? undefined : checksum(view.sha256, messages)}
      <p class="hint">${landing.caution}</p>`,
  };
}

/**
 * Returns the form that opens a capped link. Programs that check mails follow links, and would use up the downloads,
 * but press no buttons.
 */
export function openingForm({ action }: ShareForm, buttons: Html): Html {
  return html`<form method="post" action="${action}">${buttons}</form>`;
}

/** Returns the button that asks for the file, or for all files. */
export function downloadButton(label: string): Html {
  return html`<p class="buttons"><button class="first" name="download" value="1">${label}</button></p>`;
}

function linksOf({ downloadUrl, preview }: ShareFileView, { landing }: Messages): Html {
  // `nofollow` keeps robots away.
  return html`<p class="buttons">
    <a class="button first" href="${downloadUrl}" rel="nofollow">${landing.download}</a>
    ${preview?.kind === 'pdf' ? viewLink(preview.url, landing.view) : undefined}
  </p>`;
}

function viewLink(url: string, label: string): Html {
  return html`<a class="button" href="${url}" target="_blank" rel="noopener noreferrer nofollow">${label}</a>`;
}

/** Lists when the link ends, and the downloads that are left. */
export function factsOf(
  { expiresAt, now, remainingDownloads }: Pick<ShareFileView, 'expiresAt' | 'now' | 'remainingDownloads'>,
  messages: Messages,
): Html {
  const { landing, locale } = messages;
  const left = remainingDownloads === null ? undefined : countText(remainingDownloads, landing.downloadsLeft, locale);
  return html`<dl class="facts">
    ${fact(landing.expires, untilText(expiresAt, now, messages))}
    ${left === undefined ? undefined : fact(landing.downloads, left)}
  </dl>`;
}

function checksum(sha256: string, { landing }: Messages): Html {
  return html`<details>
    <summary>${landing.checksum}</summary>
    <p><code class="all">${sha256}</code></p>
    <p class="hint">${landing.checksumHint}</p>
  </details>`;
}
