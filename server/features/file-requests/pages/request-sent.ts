import { filled, instantText, sizeText } from '#server/pages/formats.ts';
import { html, type Html } from '#server/pages/html.ts';
import type { RenderedPage } from '#server/pages/layout.ts';
import { refusedList } from './request-refused.ts';
import type { SentView } from './request-view.ts';
import { isolatedName } from '#server/pages/shown-name.ts';
import { requestPage, type RequestTexts } from './request-page.ts';

/** Renders what a sender has sent to a file request, and the links to the receipt and to the form. */
export function sentPage(view: SentView): RenderedPage {
  return requestPage(view.acceptLanguage, (messages) => {
    const { sent } = messages;
    return {
      up: '../../',
      title: sent.title,
      above: html`<p class="intro">${isolatedName(view.title)}</p>`,
      body: html`${refusedList(view.refused, messages)}
        <ul class="files">
          ${view.files.map((file) => itemOf(file, messages))}
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
  { landing, locale, sent }: RequestTexts,
): Html {
  const when = filled(landing.exactly, { when: instantText(receivedAt, locale) });
  return html`<li>
    ${isolatedName(name)}<br /><span class="quiet"
      >${sizeText(sizeBytes, locale)} · ${sent.received}
      <time datetime="${new Date(receivedAt).toISOString()}">${when}</time></span
    >
    <details>
      <summary>${landing.checksum}</summary>
      <p><code class="all">${sha256 ?? sent.computing}</code></p>
    </details>
  </li>`;
}
