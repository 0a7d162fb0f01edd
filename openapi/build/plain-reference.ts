import { operationsOf, type Json } from '../codegen/document.ts';
import { escaped, sitePage } from './site-page.ts';

/** Renders the reference without Redocly: a list of the operations, and links to the contract. */
export function plainReference(document: Json): string {
  const byTag = Map.groupBy(operationsOf(document), ({ tag }) => tag);
  const lists = [...byTag].map(([tag, operations]) => {
    const rows = operations.map(
      ({ id, method, path, spec }) =>
        `<tr id="/${tag}/${id.toLowerCase()}"><td><code>${method.toUpperCase()} ${escaped(path)}</code></td><td>${escaped(spec.summary ?? id)}</td></tr>`,
    );
    return `<h2 id="/${tag}">${escaped(tag)}</h2>\n<div class="wide"><table><tbody>\n${rows.join('\n')}\n</tbody></table></div>`;
  });
  const body = `<h1>${escaped(document.info.title)}</h1>
<p>Every operation of the API. What each takes and answers stands in the contract: <a href="openapi.yaml">openapi.yaml</a> or <a href="openapi.json">openapi.json</a>.</p>
${lists.join('\n')}`;
  return sitePage({ title: 'API reference', body });
}
