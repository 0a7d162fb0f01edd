import type { MenuItem } from './menu.ts';
import { plainMarkdown, type Page } from './pages/page.ts';
import { escaped, sitePage } from './site-page.ts';

/** Renders every page without the generator: its Markdown as text, and the menu on the first page. */
export function plainSite(pages: readonly Page[], menu: readonly MenuItem[]): Map<string, string> {
  return new Map(
    pages.map((page) => {
      const text = `<pre class="plain">${escaped(plainMarkdown(page))}</pre>`;
      const up = page.path
        .split('/')
        .slice(1)
        .map(() => '../')
        .join('');
      const body = page.path === 'index' ? `${text}\n${menuList(menu)}` : text;
      return [`${page.path}.html`, sitePage({ title: page.title, body, up })];
    }),
  );
}

function menuList(items: readonly MenuItem[]): string {
  const rows = items.map(({ text, link, items: inner }) => {
    const name = link === undefined ? escaped(text) : `<a href="${escaped(link.slice(1))}">${escaped(text)}</a>`;
    return `<li>${name}${inner ? `\n${menuList(inner)}` : ''}</li>`;
  });
  return `<ul>\n${rows.join('\n')}\n</ul>`;
}
