import { html, type Html } from './html.ts';
import { stylesheetVersion } from './stylesheet.ts';

/** A page of a door. */
export interface Page {
  /** The heading, and the title of the window. */
  readonly title: string;
  readonly body: Html;
  /** What went wrong, announced when the page opens. */
  readonly problem?: string | undefined;
  /** The way from the page up to the root of its door: empty, or `../` once or more. Doors may stand below a path of their host. */
  readonly up?: string;
}

/** Headers of every page: it may not be framed, kept or indexed, runs nothing, and tells nobody its address. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
} as const;

/** The element with what went wrong, to which the field that it concerns points. */
export const problemId = 'problem';

/** Writes a page in full. It needs no script, and works in the narrowest window, light or dark. */
export function renderPage({ title, body, problem, up = '' }: Page): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${problem === undefined ? '' : 'Problem: '}${title} – Cubby</title>
    <link rel="stylesheet" href="${up}pages.css?v=${stylesheetVersion}">
  </head>
  <body>
    <main>
      <p class="brand">Cubby</p>
      <h1>${title}</h1>
      ${problem === undefined ? undefined : html`<p role="alert" id="${problemId}">${problem}</p>`}
      ${body}
    </main>
  </body>
</html>
`.text;
}
