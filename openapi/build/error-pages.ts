import { declaredCodes, type Declared, type Vocabulary } from '../codegen/print-errors.ts';
import { operationsOf, type Json, type Operation } from '../codegen/document.ts';
import { escaped, sitePage } from './site-page.ts';

/** The responses that use each vocabulary. */
const vocabularyNames: Readonly<Record<Vocabulary, string>> = {
  envelope: 'Storage and application API, links and public files',
  ai: 'AI gateway',
  oauth: 'Device approval',
  git: 'Git webhook',
};

/** The meaning of a code in one vocabulary, and the operations that return it. */
interface CodeMeaning {
  readonly code: string;
  readonly vocabulary: Vocabulary;
  readonly status: number;
  readonly condition: string;
  readonly message: string;
  readonly operations: readonly Operation[];
  readonly isUnrouted: boolean;
}

function meaningsOf(document: Json): CodeMeaning[] {
  const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]));
  const groups = Map.groupBy(declaredCodes(document), ({ vocabulary, code }) => `${vocabulary} ${code}`);
  return [...groups.values()].map((declared) => {
    const first = declared[0]!;
    const told = <Field extends 'message' | 'condition'>(field: Field): string =>
      declared.find((one: Declared) => one[field])?.[field] ?? '';
    const ids = [...new Set(declared.map(({ operationId }) => operationId))];
    return {
      code: first.code,
      vocabulary: first.vocabulary,
      status: first.status,
      condition: told('condition'),
      message: told('message'),
      operations: ids.flatMap((id) => operations.get(id) ?? []),
      isUnrouted: ids.includes(''),
    };
  });
}

/**
 * Returns the page name of a code, in upper case. The same word in lower case belongs to another vocabulary and shares
 * the page.
 */
function pageName(code: string): string {
  return `errors/${code.toUpperCase()}.html`;
}

/**
 * Returns `errors.html`, which lists every code, and one page for each code with its meaning, status and operations.
 */
export function errorPages(document: Json): Map<string, string> {
  const all = meaningsOf(document);
  const pages = new Map([['errors.html', sitePage({ title: 'Error codes', body: overview(all) })]]);
  for (const [name, meanings] of Map.groupBy(all, ({ code }) => pageName(code))) {
    const title = [...new Set(meanings.map(({ code }) => code))].join(', ');
    pages.set(
      name,
      sitePage({ title, body: `<h1>${escaped(title)}</h1>\n${meanings.map(section).join('\n')}`, up: '../' }),
    );
  }
  return pages;
}

function overview(all: readonly CodeMeaning[]): string {
  const tables = [...Map.groupBy(all, ({ vocabulary }) => vocabulary)].map(([vocabulary, meanings]) => {
    const rows = meanings
      .toSorted((a, b) => (a.code < b.code ? -1 : 1))
      .map(
        ({ code, status, condition, operations }) =>
          `<tr><td><a href="${pageName(code)}"><code>${code}</code></a></td><td>${status}</td><td>${escaped(condition)}</td><td>${operations.length || 'any'}</td></tr>`,
      );
    return `<h2 id="${vocabulary}">${vocabularyNames[vocabulary]}</h2>
<div class="wide"><table><thead><tr><th>Code</th><th>Status</th><th>When</th><th>Operations</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`;
  });
  return `<h1>Error codes</h1>
<p>Programs read <code>code</code>, which does not change. <code>message</code> is for people: it says what was wrong with which value, what is allowed and what to
do next, and its wording may change. A code has one status.</p>
${tables.join('\n')}`;
}

function section({ code, vocabulary, status, condition, message, operations, isUnrouted }: CodeMeaning): string {
  const names = operations.map(
    (operation) =>
      `<li><a href="../index.html#/${operation.tag}/${operation.id.toLowerCase()}"><code>${operation.method.toUpperCase()} ${escaped(operation.path)}</code></a> ${escaped(operation.spec.summary ?? operation.id)}</li>`,
  );
  if (isUnrouted) names.push('<li>Requests that reach no operation</li>');
  return `<h2 id="${vocabulary}">${vocabularyNames[vocabulary]}</h2>
<table><tbody>
<tr><th>Code</th><td><code>${code}</code></td></tr>
<tr><th>Status</th><td>${status}</td></tr>
<tr><th>When</th><td>${escaped(condition)}</td></tr>
<tr><th>Message</th><td>${escaped(message)} The server may add the value that it got.</td></tr>
</tbody></table>
<h3>Operations that answer it</h3>
<ul>
${names.join('\n')}
</ul>`;
}
