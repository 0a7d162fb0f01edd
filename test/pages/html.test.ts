import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { html } from '#server/pages/html.ts';
import { renderPage } from '#server/pages/layout.ts';
import { logoFile } from '#server/pages/logo.ts';

describe('html`…`', () => {
  it('escapes the inserted values, and keeps its own markup', () => {
    expect(
      html`<p title="${`"><script>'&\``}">${html`<b>${'<i>'}</b>`}${[html`<i></i>`, html`${1}`]}${undefined}</p>`.text,
    ).toBe('<p title="&#34;&#62;&#60;script&#62;&#39;&#38;&#96;"><b>&#60;i&#62;</b><i></i>1</p>');
  });
});

describe('renderPage()', () => {
  it('shows the problem in the title and as an alert, and links to the stylesheet above it', () => {
    const page = renderPage({ title: 'A & B', body: html`<p>x</p>`, problem: '<none>', up: '../' });
    expect(page).toMatch(
      /<title>Problem: A &#38; B – Cubby<\/title>[^]*href="\.\.\/pages\.css\?v=[0-9a-f]{12}"[^]*<h1>A &#38; B<\/h1>/,
    );
    expect(page).toMatch(/<h1>A &#38; B<\/h1>[^]*<p role="alert" id="problem">&#60;none&#62;<\/p>/);
    expect(renderPage({ title: 'A', body: html`` })).not.toContain('alert');
  });
});

describe('the logo', () => {
  it('is the same as in the documentation', async () => {
    const facesOf = (svg: string) => [...svg.matchAll(/<path (.*?) ?\/>/g)].map(([, face]) => face);
    expect(facesOf(logoFile)).toEqual(facesOf(await readFile('docs/cubby.svg', 'utf8')));
  });
});
