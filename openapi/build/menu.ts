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

/** A part of the menu that lists documents. */
interface Part {
  readonly text: string;
  /** The folder below `docs/` whose documents it has, unless another part names them. */
  readonly folder: string;
  /** The paths that come first. The others follow by name. */
  readonly first: readonly string[];
}

const parts: readonly Part[] = [
  {
    text: 'Start',
    folder: 'start',
    first: ['start/page', 'start/server', 'start/s3', 'start/chat', 'start/run', 'start/mock'],
  },
  {
    text: 'Your framework',
    folder: 'start/frameworks',
    first: [
      'start/frameworks',
      'start/frameworks/nextjs',
      'start/frameworks/nuxt',
      'start/frameworks/sveltekit',
      'start/frameworks/react-router',
      'start/frameworks/astro',
      'start/frameworks/express',
      'start/frameworks/fastify',
      'start/frameworks/django',
      'start/frameworks/rails',
      'start/frameworks/laravel',
    ],
  },
  { text: 'Tutorials', folder: 'tutorials', first: [] },
  {
    text: 'Move here',
    folder: 'from',
    first: ['from-supabase-storage', 'from-vercel-blob', 'from-uploadthing', 'from-wetransfer'],
  },
  {
    text: 'Guides',
    folder: '',
    first: [
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
      'rules',
      'trash',
      'folder-jobs',
      's3',
      'deploys',
      'edge-errors',
      'console',
      'mocks',
    ],
  },
  {
    text: 'AI gateway',
    folder: 'ai',
    first: [
      'ai',
      'agents',
      'ai/files',
      'ai/streaming',
      'ai/responses',
      'ai/messages',
      'ai/embeddings',
      'ai/limits',
      'ai/cache',
      'ai/observing',
      'ai/fields',
      'ai/running',
      'ai/models',
      'ai/prices',
      'ai/capacity',
      'ai/settings',
    ],
  },
  {
    text: 'Run a server',
    folder: 'operating',
    first: [
      'installing',
      'operating',
      'operating/configuration',
      'operating/proxy',
      'operating/cdn',
      'operating/commands',
      'operating/accounts',
      'operating/master-key',
      'operating/encryption',
      'operating/backup',
      'operating/check',
      'operating/upgrade',
      'operating/bucket',
      'operating/metrics',
      'operating/trouble',
      'operator-api',
      'scaling',
      'performance',
      'security',
    ],
  },
];

/** Documents to look something up in, beside the pages that are made from the contract. */
const lookUp = ['faq', 'troubleshooting', 'glossary', 'limits'];

/** Documents of contributors, below the others. */
const contributors = ['contract', 'tables', 'changelog'];

/** Returns a part of the menu with its documents. */
function documentsOf({ text, folder, first }: Part, guides: readonly Page[]): MenuItem {
  const named = new Set([...lookUp, ...contributors, ...parts.flatMap((part) => part.first)]);
  const within = guides.filter(({ path }) => !named.has(path) && path.split('/').slice(0, -1).join('/') === folder);
  const listed = first.flatMap((path) => guides.filter((guide) => guide.path === path));
  return { text, items: [...listed, ...within.toSorted((a, b) => (a.path < b.path ? -1 : 1))].map(itemOf) };
}

function itemOf({ path, title }: Page): MenuItem {
  return { text: title, link: `/${path}` };
}

/** Returns the menu: documents by part, the reference by tag, and the pages that are made from the contract. */
export function siteMenu(pages: readonly Page[], document: Json): MenuItem[] {
  const guides = pages.filter(({ source, path }) => source !== undefined && path !== 'index');
  const sections = parts.map((part) => documentsOf(part, guides)).filter(({ items }) => items!.length > 0);
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
    paths.flatMap((path) => pages.filter((page) => page.path === path)).map(itemOf);
  return [
    ...sections,
    { text: 'API reference', items: [...named('reference'), ...reference] },
    { text: 'Look up', items: named(...lookUp, 'errors', 's3-errors', 'scopes', 'api-changes') },
    { text: 'Change it', items: named(...contributors) },
  ];
}
