import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { DefaultTheme, UserConfig } from 'vitepress';

import { anchorOf } from '../build/pages/guides.ts';
import { tokensByClass } from '../build/theme-tokens.ts';
import { kindOf } from './search/kinds.ts';
import { sectionsOf } from './search/sections.ts';

const diagrams = join(import.meta.dirname, '../../docs/diagrams');

const ownSearchModule = join(import.meta.dirname, 'search/search.ts');

/** Replaced by the server's own address when a page is served. */
const exampleApi = 'http://localhost:7400';

/** Colors of code with enough contrast for small text. */
const codeThemes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } as const;

const head: NonNullable<UserConfig['head']> = [
  ['link', { rel: 'icon', href: '/docs/favicon.svg', type: 'image/svg+xml' }],
  ['meta', { name: 'referrer', content: 'same-origin' }],
  ['meta', { name: 'cubby-api', content: exampleApi }],
  // What does nothing without scripts. Without tabs every language is shown.
  [
    'noscript',
    {},
    '<style>.own-server, .try-it, .VPNavBarSearch, .VPNavAppearance, .vp-code-group .tabs { display: none !important; }' +
      ".vp-code-group div[class*='language-'] { display: block !important; margin-block: 0 1rem !important; }</style>",
  ],
];

const markdownOptions: NonNullable<UserConfig['markdown']> = {
  html: false,
  linkify: false,
  theme: codeThemes,
  // Comments of this theme are for a white ground. The site's has the color of its other quiet texts.
  colorReplacements: { [codeThemes.light]: { '#66707b': '#526069' } },
  // Braces are text in paths such as `/v1/{id}`. `{:#id}` sets an id.
  attrs: { left: '{:', right: '}' },
  anchor: { slugify: anchorOf },
  config(markdown) {
    const { fence, text } = markdown.renderer.rules;
    markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
      const { info, content } = tokens[index]!;
      // Search needs no colors.
      if (env.isForIndex) return info.startsWith('cubby:') ? '' : `<pre>${markdown.utils.escapeHtml(content)}</pre>\n`;
      return component(info) ?? fence!(tokens, index, options, env, self);
    };
    // A header without a text names nothing.
    markdown.core.ruler.push('empty_headers', ({ tokens }) => {
      for (const [index, { type }] of tokens.entries())
        if (type === 'th_open' && tokens[index + 1]!.content === '')
          for (const cell of [tokens[index]!, tokens[index + 2]!]) cell.tag = 'td';
    });
    markdown.core.ruler.push('wide_cells', ({ tokens }) => {
      for (const [index, token] of tokens.entries())
        if (token.type === 'td_open') {
          const kind = kindOfCell(tokens[index + 1]!.content);
          if (kind) token.attrJoin('class', kind);
        }
    });
    // Vue would read braces in a text as an expression.
    markdown.renderer.rules.text = (...args) => text!(...args).replaceAll('{{', '&#123;&#123;');
  },
};

function themeOf(sidebar: DefaultTheme.Sidebar): DefaultTheme.Config {
  return {
    siteTitle: 'Cubby',
    logo: '/favicon.svg',
    nav: [
      { text: 'Guides', link: '/guides' },
      { text: 'API reference', link: '/reference' },
      { text: 'Error codes', link: '/errors' },
      { text: 'Upload demo', link: '/upload-demo', target: '_self' },
    ],
    sidebar,
    outline: { level: 2, label: 'On this page' },
    externalLinkIcon: true,
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        _render: (source, env, markdown) => {
          const isGuide = kindOf(`/${env.relativePath.replace(/\.md$/, '')}`) === 'guide';
          // Samples of the reference repeat what its text says, in five languages, and those of frameworks repeat each
          // other. Titles of tabs say nothing.
          const indexed = source.replaceAll(isGuide ? /^:::.*$/gm : /^```[\s\S]*?^```$/gm, '');
          return markdown.render(indexed, { ...env, isForIndex: true });
        },
        miniSearch: { _splitIntoSections: (_path, html) => sectionsOf(html) },
      },
    },
  };
}

/**
 * Returns the configuration of the generator for a folder that holds `pages/` and `menu.json`. It writes the site to
 * `out/` there.
 */
export function siteConfig(folder: string): UserConfig<DefaultTheme.Config> {
  return {
    lang: 'en',
    title: 'Cubby',
    titleTemplate: ':title – Cubby',
    description: 'Self-hosted blob storage, sharing and AI gateway',
    base: '/docs/',
    srcDir: 'pages',
    outDir: join(folder, 'out'),
    cacheDir: join(folder, 'cache'),
    cleanUrls: true,
    // Files beside the pages that the generator does not know.
    ignoreDeadLinks: [/^\/(redoc|contract)\//, /upload-demo/],
    head,
    transformHead: ({ pageData }) => [
      [
        'link',
        {
          rel: 'alternate',
          type: 'text/markdown',
          href: `/docs/${pageData.relativePath}`,
          title: 'This page as Markdown',
        },
      ],
    ],
    markdown: markdownOptions,
    themeConfig: themeOf(JSON.parse(readFileSync(join(folder, 'menu.json'), 'utf8'))),
    vite: {
      plugins: [sharedColors, ownSearch],
      build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4096, reportCompressedSize: false },
    },
  };
}

/** Puts the shared colors into the stylesheet of the theme. The generator has light and dark behind a class. */
const sharedColors = {
  name: 'cubby:colors',
  enforce: 'pre',
  transform(code: string, id: string) {
    if (!id.endsWith('theme/style.css')) return undefined;
    return code.replace("@import '../../../server/pages/tokens.css';", () => tokensByClass());
  },
} as const;

/** Gives the generator's search box the search of this site in place of MiniSearch. */
const ownSearch = {
  name: 'cubby:search',
  enforce: 'pre',
  resolveId(source: string, importer: string | undefined) {
    return source === 'minisearch' && importer?.includes('VPLocalSearchBox') ? ownSearchModule : undefined;
  },
} as const;

/** Returns a diagram without its own colors. Its title and description are for readers who do not see it. */
function diagram(name: string): string {
  const text = readFileSync(join(diagrams, `${name}.svg`), 'utf8');
  return `<div class="diagram" tabindex="0" role="group" aria-label="Diagram">${text.replace(/<style>[^]*?<\/style>\n/, '')}</div>\n`;
}

/** Returns the class of a table's cell: one that stays in a line, or one whose column must not become as narrow as one word. */
function kindOfCell(markdown: string): string | undefined {
  // Addresses of links are not shown.
  const { length } = markdown.replaceAll(/\]\([^)]*\)/g, ']');
  if (length <= 12) return 'short';
  return length > 50 ? 'sentence' : length > 20 && markdown.includes(' ') ? 'phrase' : undefined;
}

/** Returns the component that a fence such as ```` ```cubby:try uploadObject ```` stands for. */
function component(info: string): string | undefined {
  const [, name, value = ''] = /^cubby:(\w+)\s*([\w-]*)/.exec(info) ?? [];
  switch (name) {
    case 'settings':
      return '<OwnServer />\n';
    case 'try':
      return `<TryIt operation="${value}" />\n`;
    case 'diagram':
      return diagram(value);
    default:
      return undefined;
  }
}
