import { createHash } from 'node:crypto';

import { tokens } from './theme-tokens.ts';

/**
 * The style of pages that the generator does not make, in the colors of the others. It is embedded in each page, so that a
 * page also works as a local file.
 */
const style = `${tokens}
html { background: var(--sheet); color: var(--ink); }
a { color: var(--icon); }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding-bottom: .75rem; border-bottom: 1px solid var(--hair); font-size: .9rem; }
h1 { line-height: 1.2; margin-top: 2rem; }
h2, h3 { line-height: 1.3; margin-top: 2.2rem; scroll-margin-top: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
code { background: var(--ground); padding: .1em .3em; border-radius: 3px; }
pre { background: var(--ground); border: 1px solid var(--hair); border-radius: 6px; padding: .8rem 1rem; overflow-x: auto; line-height: 1.45; }
pre code { background: none; padding: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .95em; }
th, td { border: 1px solid var(--hair); padding: .35rem .6rem; text-align: left; vertical-align: top; }
th { background: var(--ground); }
blockquote { margin-inline: 0; padding-left: 1rem; border-left: 3px solid var(--hair); }
pre.plain { white-space: pre-wrap; border: 0; background: none; padding: 0; }
`;

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src 'self' data:; base-uri 'none'; form-action 'none'`;

/** Escapes text for a page. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export interface SitePage {
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** `../` for each folder above the page. */
  readonly up?: string;
}

/** Renders a whole page without scripts or external resources. */
export function sitePage({ title, body, up = '' }: SitePage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – Cubby</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<nav aria-label="Documentation"><a href="${up}index.html">Cubby</a> <a href="${up}guides.html">Guides</a> <a href="${up}reference.html">API reference</a> <a href="${up}errors.html">Error codes</a> <a href="${up}upload-demo.html">Upload demo</a></nav>
<main>
${body}
</main>
</body>
</html>
`;
}
