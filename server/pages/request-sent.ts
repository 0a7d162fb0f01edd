import { filled, instantWords, sizeWords } from './formats.ts';
import { html, type Html } from './html.ts';
import { localPage, type RenderedPage } from './layout.ts';
import { refusedList } from './request-refused.ts';
import type { SentView } from './request-view.ts';
import { isolatedName } from './shown-name.ts';
import type { Words } from './words/words.ts';

/** Renders what a sender has sent to a file request, and the links to the receipt and to the form. */
export function sentPage(view: SentView): RenderedPage {
  return localPage(view.acceptLanguage, (words) => {
    const { sent } = words;
    return {
      up: '../../',
      title: sent.title,
      above: html`<p class="intro">${isolatedName(view.title)}</p>`,
      body: html`${refusedList(view.refused, words)}
        <ul class="files stacked">
          ${view.files.map((file) => itemOf(file, words))}
        </ul>
        <p class="hint">${sent.text}</p>
        <p class="buttons">
          <a class="button first" href="${view.receiptUrl}">${sent.receipt}</a>
          ${view.formUrl === undefined ? undefined : html`<a class="button" href="${view.formUrl}">${sent.more}</a>`}
        </p>`,
    };
  });
}

function itemOf(
  { name, sizeBytes, sha256, receivedAt }: SentView['files'][number],
  { landing, locale, sent }: Words,
): Html {
  const when = filled(landing.exactly, { when: instantWords(receivedAt, locale) });
  return html`<li>
    ${isolatedName(name)}<br /><span class="quiet"
      >${sizeWords(sizeBytes, locale)} · ${sent.received}
      <time datetime="${new Date(receivedAt).toISOString()}">${when}</time></span
    >
    <details>
      <summary>${landing.checksum}</summary>
      <p><code class="all">${sha256 ?? sent.computing}</code></p>
    </details>
  </li>`;
}
