import { fileIcon, kindOf } from './file-kind.ts';
import { aheadWords, countWords, filled, instantWords, sizeWords } from './formats.ts';
import { html, type Html } from './html.ts';
import { languageOf } from './language.ts';
import { localHeaders, renderPage } from './layout.ts';
import { cardTags } from './share-card.ts';
import { previewOf, previewSources } from './share-preview.ts';
import type { ShareFileView, SharePage } from './share-view.ts';
import { isolatedName, shownName } from './shown-name.ts';
import { wordsIn, type Words } from './words/words.ts';

/** Renders the page before a download: the file's details, a preview if allowed, and the download button. */
export function landingPage(view: ShareFileView): SharePage {
  const language = languageOf(view.acceptLanguage);
  const words = wordsIn(language);
  const { landing, locale } = words;
  const kind = kindOf(view);
  const page = renderPage({
    language,
    up: '../',
    title: shownName(view.name),
    heading: isolatedName(view.name),
    head: view.hasPassword ? html`` : cardTags({ file: view }, words),
    above: html`<p class="intro">${landing.intro}</p>
      ${fileIcon(kind)}`,
    // `nofollow` keeps robots from using up downloads.
    body: html`<p class="what">${words.kinds[kind]} · ${sizeWords(view.sizeBytes, locale)}</p>
      ${previewOf(view, words)}
      <p class="buttons">
        <a class="button first" href="${view.downloadUrl}" rel="nofollow">${landing.download}</a>
        ${view.preview?.kind === 'pdf' ? viewLink(view.preview.url, landing.view) : undefined}
      </p>
      ${factsOf(view, words)} ${view.sha256 === null ? undefined : checksum(view.sha256, words)}
      <p class="hint">${landing.caution}</p>`,
  });
  return { page, headers: localHeaders(language, { shows: view.preview && previewSources[view.preview.kind] }) };
}

function viewLink(url: string, label: string): Html {
  return html`<a class="button" href="${url}" target="_blank" rel="noopener noreferrer nofollow">${label}</a>`;
}

function factsOf({ expiresAt, now, remainingDownloads }: ShareFileView, { landing, locale }: Words): Html {
  const exactly = filled(landing.exactly, { when: instantWords(expiresAt, locale) });
  return html`<dl class="facts">
    <div>
      <dt>${landing.expires}</dt>
      <dd>
        ${aheadWords(expiresAt - now, locale)}<br /><time class="quiet" datetime="${new Date(expiresAt).toISOString()}"
          >${exactly}</time
        >
      </dd>
    </div>
    ${
      remainingDownloads === null
        ? undefined
        : html`<div>
            <dt>${landing.downloads}</dt>
            <dd>${countWords(remainingDownloads, landing.downloadsLeft, locale)}</dd>
          </div>`
    }
  </dl>`;
}

function checksum(sha256: string, { landing }: Words): Html {
  return html`<details>
    <summary>${landing.checksum}</summary>
    <p><code class="all">${sha256}</code></p>
    <p class="hint">${landing.checksumHint}</p>
  </details>`;
}
