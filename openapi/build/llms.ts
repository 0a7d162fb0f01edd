import type { MenuItem } from './menu.ts';

/**
 * Returns `llms.txt`: what the service is, and every page as Markdown, for assistants that read the documentation.
 *
 * @see https://llmstxt.org
 */
export function llmsText(menu: readonly MenuItem[], tags: readonly string[]): string {
  const base = 'http://localhost:7400/docs';
  const list = (items: readonly MenuItem[]): string[] =>
    items.flatMap(({ text, link }) =>
      link === undefined || link.includes('#') ? [] : [`- [${text}](${base}${link}.md)`],
    );
  const sections = menu.map(({ text, items = [] }) => `## ${text}\n\n${list(items).join('\n')}`);
  return `# Cubby

> Self-hosted blob storage, sharing and AI gateway. Every page of the documentation is Markdown at its address with \`.md\`.

${sections.join('\n\n')}

## Contract

- [The whole contract, OpenAPI 3.1](${base}/openapi.json)
${tags.map((tag) => `- [Only ${tag}](${base}/contract/${tag}.json)`).join('\n')}
`;
}
