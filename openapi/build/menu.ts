import type { Json } from '../codegen/document.ts';
import { operationAnchor, tagPath } from './pages/addresses.ts';
import type { Page } from './pages/page.ts';
import { tagsOf } from './pages/reference.ts';

/** An entry of the site's menu. */
export interface MenuItem {
  readonly text: string;
  /** Address within the site. */
  readonly link?: string;
  readonly items?: readonly MenuItem[];
  readonly collapsed?: boolean;
}

/** The folders of `docs/`, in the order of the menu. Documents within a folder come in the listed order, then by name. */
const folders: ReadonlyArray<readonly [folder: string, title: string, first: readonly string[]]> = [
  ['start', 'Start', ['page', 'server', 's3', 'chat', 'run', 'mock']],
  ['tutorials', 'Tutorials', []],
  [
    '',
    'Guides',
    [
      'recipes',
      'keys',
      'uploader',
      'uppy',
      'upload-tokens',
      'chunked-uploads',
      'resumable-uploads',
      'shares',
      'file-requests',
      'events',
      'images',
      'trash',
      'folder-jobs',
      's3',
      'ai',
      'deploys',
      'edge-errors',
      'console',
      'mocks',
    ],
  ],
];

/** Documents of operators and contributors, below the guides. */
const operators = [
  'installing',
  'operating',
  'operator-api',
  'performance',
  'scaling',
  'security',
  'contract',
  'tables',
  'changelog',
];

/** Returns the menu: documents by folder, the reference by tag, and the pages that are made from the contract. */
export function siteMenu(pages: readonly Page[], document: Json): MenuItem[] {
  const guides = pages.filter(({ source, path }) => source !== undefined && path !== 'index');
  const item = ({ path, title }: Page): MenuItem => ({ text: title, link: `/${path}` });
  const sections = folders.map(([folder, text, first]) => {
    const within = guides.filter(
      ({ path }) => path.split('/').slice(0, -1).join('/') === folder && !operators.includes(path),
    );
    const rank = ({ path }: Page) => {
      const at = first.indexOf(path.split('/').at(-1)!);
      return at === -1 ? first.length : at;
    };
    return { text, items: within.toSorted((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1)).map(item) };
  });
  const reference = tagsOf(document).map(({ id, name, operations }) => ({
    text: name,
    link: `/${tagPath(id)}`,
    collapsed: true,
    items: operations.map((operation) => ({
      text: operation.spec.summary ?? operation.id,
      link: `/${tagPath(id)}#${operationAnchor(operation.id)}`,
    })),
  }));
  const named = (...paths: readonly string[]) =>
    paths.flatMap((path) => pages.filter((page) => page.path === path)).map(item);
  return [
    ...sections.filter(({ items }) => items.length > 0),
    { text: 'API reference', items: [...named('reference'), ...reference] },
    { text: 'Look up', items: named('errors', 's3-errors', 'limits', 'scopes', 'api-changes') },
    { text: 'Run and change it', items: named(...operators) },
  ];
}
