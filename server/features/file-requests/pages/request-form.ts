import { countText, filled, sizeText } from '#server/pages/formats.ts';
import { html, type Html } from '#server/pages/html.ts';
import { problemId, type RenderedPage } from '#server/pages/layout.ts';
import { fact, messageOf, untilText } from '#server/features/shares/pages/facts.ts';
import { sendingPath } from './sending/modules.ts';
import type { RequestFormView } from './request-view.ts';
import { refusedList } from './request-refused.ts';
import { isolatedName, shownName } from '#server/pages/shown-name.ts';
import type { PageCode } from '#server/pages/messages/messages.ts';
import { requestPage, type RequestTexts } from './request-page.ts';

/** Renders the page of a file request: what is wanted, what is accepted, and the form. It needs no script. */
export function requestFormPage(view: RequestFormView): RenderedPage {
  return requestPage(view.acceptLanguage, (messages) => ({
    up: view.up,
    hasScript: true,
    head: html`<script type="module" src="${view.up}${sendingPath}/page.js"></script>`,
    title: shownName(view.title),
    heading: isolatedName(view.title),
    above: html`<p class="intro">${messages.request.intro}</p>`,
    problem: problemIn(messages, view),
    body: html`${messageOf(view.note)} ${refusedList(view.refused, messages)} ${formOf(view, messages)}
      ${factsOf(view, messages)}
      <p class="hint">${messages.request.caution}</p>`,
  }));
}

function problemIn(
  { request, failure, locale }: RequestTexts,
  { problem, refused }: RequestFormView,
): string | undefined {
  if (problem === undefined) return refused.length > 0 ? request.noneStored : undefined;
  if (locale === 'en-GB') return problem.message;
  return failure.reasons[problem.code as PageCode] ?? problem.message;
}

function formOf(view: RequestFormView, messages: RequestTexts): Html {
  const { request } = messages;
  const accept =
    view.extensions === null ? '' : view.extensions.map((extension) => `.${extension.split('.').at(-1)}`).join(',');
  const accepted = accept === '' ? undefined : html` accept="${accept}"`;
  return html`<form
      method="post"
      action="${view.action}"
      enctype="multipart/form-data"
      data-sending="${scriptMessages(messages)}"
    >
      ${senderField(view, request)}
      <label for="file">${request.files}</label>
      <input type="file" name="file" id="file" multiple${accepted} />
      <label for="folder">${request.folder}</label>
      <input type="file" name="file" id="folder" multiple webkitdirectory />
      <p class="buttons"><button class="first">${request.send}</button></p>
    </form>
    ${view.sender ? html`<p><a href="${view.sentUrl}">${request.sentBefore}</a></p>` : undefined}`;
}

/** The messages of the script. English reasons come from the server, which says more. */
function scriptMessages({ sending, failure, locale }: RequestTexts): string {
  const { tooManyOpen, ...messages } = sending;
  const reasons = { ...failure.reasons, TOO_MANY_OPEN_UPLOADS: tooManyOpen };
  return JSON.stringify({ ...messages, reasons: locale === 'en-GB' ? {} : reasons });
}

/** It comes before the files, because the server stores each file as it arrives. */
function senderField(
  { asksName, sender, problem }: RequestFormView,
  request: RequestTexts['request'],
): Html | undefined {
  if (!asksName) return undefined;
  if (sender?.name) return html`<p>${filled(request.sendingAs, { name: shownName(sender.name) })}</p>`;
  const isWrong = problem?.code === 'INVALID_SENDER_NAME';
  const described = isWrong
    ? html`aria-describedby="${problemId} sender_hint" aria-invalid="true"`
    : html`aria-describedby="sender_hint"`;
  return html`<label for="sender">${request.sender}</label>
    <input name="sender" id="sender" maxlength="80" autocomplete="name" required ${described} />
    <p class="hint" id="sender_hint">${request.senderHint}</p>`;
}

function factsOf(view: RequestFormView, messages: RequestTexts): Html {
  const { request, locale } = messages;
  const { deadlineAt, now, extensions, maxFileBytes, filesLeft, bytesLeft } = view;
  const left = [
    ...(filesLeft === null ? [] : [countText(filesLeft, request.filesLeft, locale)]),
    ...(bytesLeft === null ? [] : [sizeText(bytesLeft, locale)]),
  ];
  return html`<dl class="facts">
    ${deadlineAt === null ? undefined : fact(request.until, untilText(deadlineAt, now, messages))}
    ${extensions === null ? undefined : fact(request.types, extensions.join(', '))}
    ${fact(request.largest, sizeText(maxFileBytes, locale))}
    ${left.length === 0 ? undefined : fact(request.left, left.join(' · '))}
  </dl>`;
}
