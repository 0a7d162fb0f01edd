import type { Json } from '../../codegen/document.ts';
import { siteMenu, type MenuItem } from '../menu.ts';
import { releasedContracts } from '../released-contracts.ts';
import { apiChangesPage } from './api-changes.ts';
import { errorPages } from './errors.ts';
import { guidePages } from './guides.ts';
import type { Page } from './page.ts';
import { referencePages } from './reference.ts';
import { s3ErrorsPage } from './s3-errors.ts';
import { scopesPage } from './scopes.ts';

/** Returns every page of the site: the documents of the repository, and those that are made from the contract. */
export async function sitePages(root: string, document: Json): Promise<Page[]> {
  const guides = await guidePages(root);
  return [...guides, guideList(siteMenu(guides, document)), ...(await contractPages(document))];
}

/** Returns the pages that are made from the contract. */
export async function contractPages(document: Json): Promise<Page[]> {
  return [
    ...referencePages(document),
    ...errorPages(document),
    s3ErrorsPage(),
    scopesPage(document),
    apiChangesPage(await releasedContracts(), document),
  ];
}

/** Lists the guides in the order of the menu. */
function guideList(menu: readonly MenuItem[]): Page {
  // The reference has a list of its own.
  const sections = menu.flatMap(({ text, items = [] }) => {
    const guides = items.filter(({ link, items: operations }) => link !== undefined && operations === undefined);
    return guides.length === 0
      ? []
      : [`## ${text}\n\n${guides.map((one) => `- [${one.text}](${one.link!.slice(1)}.md)`).join('\n')}`];
  });
  const markdown = `# Guides

${sections.join('\n\n')}

Every page is also Markdown, at its address with \`.md\`. [llms.txt](/docs/llms.txt) lists them for assistants.
`;
  return { path: 'guides', title: 'Guides', markdown };
}
