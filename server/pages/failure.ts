import { badge } from './badge.ts';
import { aheadWords, filled } from './formats.ts';
import { html } from './html.ts';
import { languageOf } from './language.ts';
import { localHeaders, renderPage } from './layout.ts';
import { wordsIn } from './words/words-in.ts';
import type { PageCode, Words } from './words/words.ts';

/** What a door knows of a refusal that has no page of its own. */
export interface Failure {
  /** The raw `Accept-Language` of the visitor. */
  readonly acceptLanguage: string | undefined;
  readonly code: string;
  /** What the refusal says, in English; shown where the language has no words for the code. */
  readonly message: string;
  /** Whether `message` tells more than the code does. */
  readonly isSpecific: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** The way back to the form that was sent, if one was. */
  readonly back: string | undefined;
  readonly up: string;
}

/** The plainest of pages: what happened and what to do next, in the visitor's language. */
export function failurePage({ acceptLanguage, code, message, isSpecific, retryAfterSeconds, back, up }: Failure): {
  readonly page: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const language = languageOf(acceptLanguage);
  const words = wordsIn(language);
  const { back: backWord, failure, locale } = words;
  const own: string | undefined = failure.reasons[code as PageCode];
  const reason = isSpecific && language === 'en' ? message : (own ?? message);
  const again =
    retryAfterSeconds === undefined
      ? ''
      : ` ${filled(failure.tryAgain, { when: aheadWords(retryAfterSeconds * 1000, locale) })}`;
  const { title, picture } = facesOf(words, code);
  const page = renderPage({
    language,
    up,
    title,
    problem: `${reason}${again}`,
    above: badge(picture),
    // With a dot before it, so that no segment reads as another scheme.
    body: back === undefined ? html`` : html`<p class="buttons"><a class="button" href="./${back}">${backWord}</a></p>`,
  });
  return { page, headers: localHeaders(language) };
}

function facesOf(
  { failure, over }: Words,
  code: string,
): { readonly title: string; readonly picture: Parameters<typeof badge>[0] } {
  if (code === 'RATE_LIMITED') return { title: failure.tooMany, picture: 'clock' };
  // Mostly a link that was cut short, or that has got more at its end.
  if (code === 'NOT_FOUND' || code === 'SHARE_NOT_FOUND') return { title: over['not-found'].title, picture: 'broken' };
  return { title: failure.title, picture: 'warning' };
}
