import { fileIcon } from '#server/pages/file-kind.ts';
import { countText, filled, sizeText } from '#server/pages/formats.ts';
import { html, type Html } from '#server/pages/html.ts';
import { localPage, type Page, type RenderedPage } from '#server/pages/layout.ts';
import { cardTags } from './share-card.ts';
import { messageOf } from './facts.ts';
import { downloadButton, factsOf, openingForm } from './share-landing.ts';
import type { BundleView } from './share-view.ts';
import { isolatedName, shownName } from '#server/pages/shown-name.ts';
import type { Messages } from '#server/pages/messages/messages.ts';

/** Renders the page of a link to several files: each with its size, and the button for all of them. */
export function bundlePage(view: BundleView): RenderedPage {
  return localPage(view.acceptLanguage, (messages) => bundleIn(messages, view));
}

function bundleIn(messages: Messages, view: BundleView): Omit<Page, 'language'> {
  const { bundle, landing, locale } = messages;
  const heading = view.title ?? bundle.title;
  const card = {
    name: heading,
    kind: 'archive',
    sizeBytes: view.sizeBytes,
    title: null,
    message: view.message,
  } as const;
  return {
    up: '../',
    title: shownName(heading),
    heading: isolatedName(heading),
    head: view.hasPassword ? html`` : cardTags({ file: card }, messages),
    above: html`<p class="intro">${bundle.intro}</p>
      ${fileIcon('archive')}`,
    body: html`${messageOf(view.message)}
      <p class="what">${countText(view.count, bundle.count, locale)} · ${sizeText(view.sizeBytes, locale)}</p>
      ${view.count === 0 ? html`<p>${bundle.empty}</p>` : filesOf(view, messages)}
      ${factsOf(view, messages)}
      <p class="hint">${landing.caution}</p>`,
  };
}

function filesOf(view: BundleView, messages: Messages): Html {
  const files = html`${downloadAll(view, messages)} ${listOf(view, messages)}`;
  const pages = view.pages > 1 ? pagesOf(view, messages) : undefined;
  return html`${view.form ? openingForm(view.form, files) : files} ${pages}`;
}

/** Without downloads left, only a visitor whose download still lasts sees the page, for its single files. */
function downloadAll({ downloadUrl, form, remainingDownloads }: BundleView, { bundle }: Messages): Html | undefined {
  if (remainingDownloads === 0) return undefined;
  const link = html`<a class="button first" href="${downloadUrl}" rel="nofollow">${bundle.downloadAll}</a>`;
  return html`${form ? downloadButton(bundle.downloadAll) : html`<p class="buttons">${link}</p>`}
    <p class="hint">${bundle.asArchive}</p>`;
}

function listOf({ files, form }: BundleView, { bundle, locale }: Messages): Html {
  const opener = (place: string, name: Html) =>
    form
      ? html`<button class="plain" name="file" value="${place}">${name}</button>`
      : html`<a href="?file=${encodeURIComponent(place)}" rel="nofollow">${name}</a>`;
  const sizeOf = (bytes: number) => html`<span class="quiet">${sizeText(bytes, locale)}</span>`;
  return html`<h2 id="files">${bundle.files}</h2>
    <ul class="files sized" aria-labelledby="files">
      ${files.map(
        ({ path, sizeBytes, place }) => html`<li>${opener(place, isolatedName(path))} ${sizeOf(sizeBytes)}</li>`,
      )}
    </ul>`;
}

function pagesOf({ page, pages }: BundleView, { bundle }: Messages): Html {
  const to = (other: number, label: string) => html`<a href="?page=${String(other)}" rel="nofollow">${label}</a>`;
  return html`<nav class="pages" aria-label="${bundle.pages}">
    <p>${filled(bundle.page, { page: String(page), pages: String(pages) })}</p>
    ${page > 1 ? html`<p>${to(page - 1, bundle.previous)}</p>` : undefined}
    ${page < pages ? html`<p>${to(page + 1, bundle.next)}</p>` : undefined}
  </nav>`;
}
