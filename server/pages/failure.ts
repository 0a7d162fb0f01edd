import { badge } from './badge.ts';
import { aheadText, filled } from './formats.ts';
import { html, type Html } from './html.ts';
import { localPage, type RenderedPage } from './layout.ts';
import { en } from './messages/en.ts';
import type { PageCode, Messages } from './messages/messages.ts';

/** A refusal that has no page of its own. */
interface Failure {
  /** The raw `Accept-Language` of the visitor. */
  readonly acceptLanguage: string | undefined;
  readonly code: string;
  /** The refusal's English message, shown when the language has no text for the code. */
  readonly message: string;
  /** Whether `message` is more precise than the text of the code. */
  readonly isSpecific: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** The relative address of the submitted form, if there was one. */
  readonly back: string | undefined;
  readonly up: string;
}

/** Renders a plain page in the visitor's language: what happened and what to do next. */
export function failurePage(given: Failure): RenderedPage {
  const { acceptLanguage, code, message, isSpecific, retryAfterSeconds, back, up } = given;
  return localPage(acceptLanguage, (messages) => {
    const { failure, locale } = messages;
    const own: string | undefined = failure.reasons[code as PageCode];
    const reason = isSpecific && messages === en ? message : (own ?? message);
    const again =
      retryAfterSeconds === undefined
        ? ''
        : ` ${filled(failure.tryAgain, { when: aheadText(retryAfterSeconds * 1000, locale) })}`;
    const { title, picture } = facesOf(messages, code);
    return {
      up,
      title,
      problem: `${reason}${again}`,
      above: badge(picture),
      body: back === undefined ? html`` : backLink(back, messages.back),
    };
  });
}

/** The leading dot keeps a segment with a colon from being read as a URL scheme. */
function backLink(back: string, label: string): Html {
  return html`<p class="buttons"><a class="button" href="./${back}">${label}</a></p>`;
}

function facesOf(
  { failure, over }: Messages,
  code: string,
): { readonly title: string; readonly picture: Parameters<typeof badge>[0] } {
  if (code === 'RATE_LIMITED') return { title: failure.tooMany, picture: 'clock' };
  // The link was probably cut short or extended.
  if (code === 'NOT_FOUND' || code === 'SHARE_NOT_FOUND') return { title: over['not-found'].title, picture: 'broken' };
  return { title: failure.title, picture: 'warning' };
}
