import { aheadWords, countWords, filled, instantWords, sizeWords } from './formats.ts';
import { html, type Html } from './html.ts';
import { localPage, problemId, type RenderedPage } from './layout.ts';
import { sendingPath } from './sending/modules.ts';
import type { RequestFormView } from './request-view.ts';
import { refusedList } from './request-refused.ts';
import { isolatedName, shownName, shownText } from './shown-name.ts';
import type { PageCode, Words } from './words/words.ts';

/** Renders the page of a file request: what is asked for, what is accepted, and the form. It needs no script. */
export function requestFormPage(view: RequestFormView): RenderedPage {
  return localPage(view.acceptLanguage, (words) => ({
    up: view.up,
    hasScript: true,
    head: html`<script type="module" src="${view.up}${sendingPath}/page.js"></script>`,
    title: shownName(view.title),
    heading: isolatedName(view.title),
    above: html`<p class="intro">${words.asking.intro}</p>`,
    problem: problemIn(words, view),
    body: html`${noteOf(view)} ${refusedList(view.refused, words)} ${formOf(view, words)} ${factsOf(view, words)}
      <p class="hint">${words.asking.caution}</p>`,
  }));
}

function problemIn({ asking, failure, locale }: Words, { problem, refused }: RequestFormView): string | undefined {
  if (problem === undefined) return refused.length > 0 ? asking.noneStored : undefined;
  if (locale === 'en-GB') return problem.message;
  return failure.reasons[problem.code as PageCode] ?? problem.message;
}

/** The owner's words, in their own direction, with their line ends. */
function noteOf({ note }: RequestFormView): Html | undefined {
  return note === null ? undefined : html`<p class="message" dir="auto">${shownText(note)}</p>`;
}

function formOf(view: RequestFormView, words: Words): Html {
  const { asking } = words;
  const accept =
    view.extensions === null ? '' : view.extensions.map((extension) => `.${extension.split('.').at(-1)}`).join(',');
  const accepted = accept === '' ? undefined : html` accept="${accept}"`;
  return html`<form
      method="post"
      action="${view.action}"
      enctype="multipart/form-data"
      data-sending="${scriptWords(words)}"
    >
      ${senderField(view, asking)}
      <label for="file">${asking.files}</label>
      <input type="file" name="file" id="file" multiple${accepted} />
      <label for="folder">${asking.folder}</label>
      <input type="file" name="file" id="folder" multiple webkitdirectory />
      <p class="buttons"><button class="first">${asking.send}</button></p>
    </form>
    ${view.sender ? html`<p><a href="${view.sentUrl}">${asking.sentBefore}</a></p>` : undefined}`;
}

/** The words of the script. English reasons come from the server, which says more. */
function scriptWords({ sending, failure, locale }: Words): string {
  const { tooManyOpen, ...words } = sending;
  const reasons = { ...failure.reasons, TOO_MANY_OPEN_UPLOADS: tooManyOpen };
  return JSON.stringify({ ...words, reasons: locale === 'en-GB' ? {} : reasons });
}

/** It comes before the files, because the server stores each file as it arrives. */
function senderField({ asksName, sender, problem }: RequestFormView, asking: Words['asking']): Html | undefined {
  if (!asksName) return undefined;
  if (sender?.name) return html`<p>${filled(asking.sendingAs, { name: shownName(sender.name) })}</p>`;
  const isWrong = problem?.code === 'INVALID_SENDER_NAME';
  const described = isWrong
    ? html`aria-describedby="${problemId} sender_hint" aria-invalid="true"`
    : html`aria-describedby="sender_hint"`;
  return html`<label for="sender">${asking.sender}</label>
    <input name="sender" id="sender" maxlength="80" autocomplete="name" required ${described} />
    <p class="hint" id="sender_hint">${asking.senderHint}</p>`;
}

function factsOf(view: RequestFormView, { asking, landing, locale }: Words): Html {
  const { deadlineAt, now, extensions, maxFileBytes, filesLeft, bytesLeft } = view;
  const left = [
    ...(filesLeft === null ? [] : [countWords(filesLeft, asking.filesLeft, locale)]),
    ...(bytesLeft === null ? [] : [sizeWords(bytesLeft, locale)]),
  ];
  return html`<dl class="facts">
    ${deadlineAt === null ? undefined : fact(asking.until, deadlineOf(deadlineAt, now, landing.exactly, locale))}
    ${extensions === null ? undefined : fact(asking.types, html`${extensions.join(', ')}`)}
    ${fact(asking.largest, html`${sizeWords(maxFileBytes, locale)}`)}
    ${left.length === 0 ? undefined : fact(asking.left, html`${left.join(' · ')}`)}
  </dl>`;
}

function deadlineOf(deadlineAt: number, now: number, exactly: string, locale: string): Html {
  const when = filled(exactly, { when: instantWords(deadlineAt, locale) });
  return html`${aheadWords(deadlineAt - now, locale)}<br /><time
      class="quiet"
      datetime="${new Date(deadlineAt).toISOString()}"
      >${when}</time
    >`;
}

function fact(name: string, value: Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
