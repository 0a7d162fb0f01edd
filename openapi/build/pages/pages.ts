import type { Json } from '../../codegen/document.ts';
import { releasedContracts } from '../released-contracts.ts';
import { apiChangesPage } from './api-changes.ts';
import { errorPages } from './errors.ts';
import { guidePages } from './guides.ts';
import { limitsPage } from './limits.ts';
import type { Page } from './page.ts';
import { referencePages } from './reference.ts';
import { s3ErrorsPage } from './s3-errors.ts';
import { scopesPage } from './scopes.ts';

/** Returns every page of the site: the documents of the repository, and those that are made from the contract. */
export async function sitePages(root: string, document: Json): Promise<Page[]> {
  const guides = await guidePages(root);
  return [
    ...guides,
    guideList(guides),
    ...referencePages(document),
    ...errorPages(document),
    s3ErrorsPage(),
    limitsPage(document),
    scopesPage(document),
    apiChangesPage(await releasedContracts(), document),
  ];
}

function guideList(guides: readonly Page[]): Page {
  const items = guides.filter(({ path }) => path !== 'index').map(({ path, title }) => `- [${title}](${path}.md)`);
  return { path: 'guides', title: 'Guides', markdown: `# Guides\n\n${items.join('\n')}\n` };
}

/** Returns a page as it is served beside its HTML, without the marks that only the generator reads. */
export function plainMarkdown({ markdown }: Page): string {
  return markdown
    .replaceAll(/ \{:#[\w-]+\}$/gm, '')
    .replaceAll(/^```cubby:\w+.*\n```\n*/gm, '')
    .replaceAll(/^::: code-group\n|^:::$\n?/gm, '');
}
