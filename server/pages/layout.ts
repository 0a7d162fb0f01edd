import { html, type Html } from './html.ts';
import type { PageLanguage } from './language.ts';
import { sign } from './sign.ts';
import { stylesheetVersion } from './stylesheet.ts';
import { wordsIn } from './words/words-in.ts';

/** A page of a door. */
export interface Page {
  /** The title of the window, and the heading where there is no other. */
  readonly title: string;
  /** The heading with markup in it. */
  readonly heading?: Html;
  readonly body: Html;
  /** What went wrong, announced when the page opens. */
  readonly problem?: string | undefined;
  /** The way from the page up to the root of its door: empty, or `../` once or more. Doors may stand below a path of their host. */
  readonly up?: string;
  /** English when left out. */
  readonly language?: PageLanguage;
  /** What stands before the heading. */
  readonly above?: Html;
  /** What the head has beside the usual. */
  readonly head?: Html;
}

/** What a page may show beside itself, its stylesheet and pictures, all of it from its own host. */
export type PageSource = 'media-src' | 'frame-src';

/** What a page may do beside the usual. */
export interface PageRights {
  readonly shows?: PageSource | undefined;
  /** Another origin to which its form may lead in the end: browsers hold the redirects behind a form to its policy as well. */
  readonly formLeadsTo?: string;
}

function policyWith({ shows, formLeadsTo }: PageRights = {}): string {
  const shown = shows === undefined ? '' : ` ${shows} 'self';`;
  const led = formLeadsTo === undefined ? '' : ` ${formLeadsTo}`;
  return `default-src 'none'; style-src 'self'; img-src 'self';${shown} form-action 'self'${led}; frame-ancestors 'none'; base-uri 'none'`;
}

/** Headers of every page: it may not be framed, kept or indexed, runs nothing, and tells nobody its address. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policyWith(),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
} as const;

/** Headers of a page in the language that its visitor prefers. */
export function localHeaders(language: PageLanguage, rights?: PageRights): Readonly<Record<string, string>> {
  return {
    ...pageHeaders,
    'Content-Security-Policy': policyWith(rights),
    'Content-Language': wordsIn(language).locale,
    Vary: 'Accept, Accept-Language, Cookie',
  };
}

/** The element with what went wrong, to which the field that it concerns points. */
export const problemId = 'problem';

/** Writes a page in full. It needs no script, and works in the narrowest window, light or dark. */
export function renderPage({ title, heading, body, problem, up = '', language = 'en', above, head }: Page): string {
  const words = wordsIn(language);
  return html`<!doctype html>
    <html lang="${words.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${problem === undefined ? '' : `${words.problem}: `}${title} – Cubby</title>
        ${head}
        <link rel="icon" type="image/svg+xml" href="${up}pages.svg" />
        <link rel="stylesheet" href="${up}pages.css?v=${stylesheetVersion}" />
      </head>
      <body>
        <main>
          <p class="brand">${sign} Cubby</p>
          ${above}
          <h1>${heading ?? title}</h1>
          ${problem === undefined ? undefined : html`<p role="alert" id="${problemId}">${problem}</p>`} ${body}
        </main>
      </body>
    </html> `.text;
}
