import { html, type Html } from './html.ts';
import { languageOf, type PageLanguage } from './language.ts';
import { logo } from './logo.ts';
import { stylesheetVersion } from './stylesheet.ts';
import { messagesIn, type Messages } from './messages/messages.ts';

/** A page of a door. */
export interface Page {
  /** The window title, and the heading unless `heading` is set. */
  readonly title: string;
  /** The heading as markup. */
  readonly heading?: Html;
  readonly body: Html;
  /** The problem to announce when the page opens. */
  readonly problem?: string | undefined;
  /**
   * Relative path from the page to the root of its door: empty, or `../` once or more. A door may be below a path of
   * its host.
   */
  readonly up?: string;
  /** Defaults to English. */
  readonly language?: PageLanguage;
  /** Content before the heading. */
  readonly above?: Html;
  /** Further elements of the head. */
  readonly head?: Html;
}

/** Sources that a page may load from its own host, besides its stylesheet and pictures. */
export type PageSource = 'media-src' | 'frame-src';

/** Rights of a page beyond the default. */
interface PageRights {
  readonly shows?: PageSource | undefined;
  /** Another origin that the form may redirect to. Browsers apply the page's policy to redirects of a form too. */
  readonly formLeadsTo?: string;
  /** Whether it runs a script file of its own host, which talks to that host. */
  readonly hasScript?: boolean;
}

function policyWith({ shows, formLeadsTo, hasScript }: PageRights = {}): string {
  const shown = shows === undefined ? '' : ` ${shows} 'self';`;
  const led = formLeadsTo === undefined ? '' : ` ${formLeadsTo}`;
  const scripted = hasScript ? " script-src 'self'; connect-src 'self';" : '';
  const loaded = `default-src 'none'; style-src 'self'; img-src 'self';${scripted}${shown}`;
  return `${loaded} form-action 'self'${led}; frame-ancestors 'none'; base-uri 'none'`;
}

/**
 * Headers of every page. It may not be framed, cached or indexed, runs no script and sends no referrer, unless it says
 * so.
 */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policyWith(),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
} as const;

/** A rendered page and its headers, which replace `pageHeaders`. */
export interface RenderedPage {
  /** The whole HTML. */
  readonly page: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Renders a page in the visitor's language.
 *
 * @param acceptLanguage the raw `Accept-Language` of the visitor
 * @param fill returns the page with the texts of that language, and its rights
 */
export function localPage(
  acceptLanguage: string | undefined,
  fill: (messages: Messages, language: PageLanguage) => Omit<Page, 'language'> & PageRights,
): RenderedPage {
  const language = languageOf(acceptLanguage);
  const messages = messagesIn(language);
  const page = fill(messages, language);
  return {
    page: renderPage({ ...page, language }),
    headers: {
      ...pageHeaders,
      'Content-Security-Policy': policyWith(page),
      'Content-Language': messages.locale,
      Vary: 'Accept, Accept-Language, Cookie',
    },
  };
}

/** Id of the element with the problem. The affected field refers to it. */
export const problemId = 'problem';

/** Renders a whole page. It needs no script and works in narrow windows, light and dark. */
export function renderPage({ title, heading, body, problem, up = '', language = 'en', above, head }: Page): string {
  const messages = messagesIn(language);
  return html`<!doctype html>
    <html lang="${messages.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${problem === undefined ? '' : `${messages.problem}: `}${title} – Cubby</title>
        ${head}
        <link rel="icon" type="image/svg+xml" href="${up}pages.svg" />
        <link rel="stylesheet" href="${up}pages.css?v=${stylesheetVersion}" />
      </head>
      <body>
        <main>
          <p class="brand">${logo} Cubby</p>
          ${above}
          <h1>${heading ?? title}</h1>
          ${problem === undefined ? undefined : html`<p role="alert" id="${problemId}">${problem}</p>`} ${body}
        </main>
      </body>
    </html> `.text;
}
