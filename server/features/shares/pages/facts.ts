import { aheadText, filled, instantText } from '#server/pages/formats.ts';
import { html, type Html } from '#server/pages/html.ts';
import type { Messages } from '#server/pages/messages/messages.ts';
import { shownText } from '#server/pages/shown-name.ts';

/** The owner's text, in its own direction, with its line ends. */
export function messageOf(text: string | null): Html | undefined {
  return text === null ? undefined : html`<p class="message" dir="auto">${shownText(text)}</p>`;
}

/** One line of a list of facts. */
export function fact(name: string, value: Html | string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** How far away an instant is, and the instant. */
export function untilText(at: number, now: number, { landing, locale }: Messages): Html {
  const when = filled(landing.exactly, { when: instantText(at, locale) });
  return html`${aheadText(at - now, locale)}<br /><time class="quiet" datetime="${new Date(at).toISOString()}"
      >${when}</time
    >`;
}
