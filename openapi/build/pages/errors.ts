import { declaredCodes, type Declared } from '../../codegen/print-errors.ts';
import { operationsOf, resolve, responsesOf, type Json, type Operation } from '../../codegen/document.ts';
import { errorPath, linkToOperation } from './addresses.ts';
import { linkTo, table, type Page } from './page.ts';

/** The responses that use each vocabulary. */
const vocabularyNames: Readonly<Record<string, string>> = {
  envelope: 'Storage and application API, links and public files',
  ai: 'AI gateway',
  oauth: 'Device approval',
  git: 'Git webhook',
};

/** The meaning of a code in one vocabulary, and the operations that return it. */
interface CodeMeaning {
  readonly code: string;
  readonly vocabulary: string;
  readonly status: number;
  readonly condition: string;
  readonly message: string;
  /** What a client does about it. */
  readonly remedy: string;
  readonly example: unknown;
  readonly operations: readonly Operation[];
  readonly isUnrouted: boolean;
}

function meaningsOf(document: Json): CodeMeaning[] {
  const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]));
  const groups = Map.groupBy(declaredCodes(document), ({ vocabulary, code }) => `${vocabulary} ${code}`);
  return [...groups.values()].map((declared) => {
    const { code, vocabulary, status } = declared[0]!;
    const told = <Field extends 'message' | 'condition'>(field: Field): string =>
      declared.find((one: Declared) => one[field])?.[field] ?? '';
    const ids = [...new Set(declared.map(({ operationId }) => operationId))];
    const answering = ids.flatMap((id) => operations.get(id) ?? []);
    return {
      code,
      vocabulary,
      status,
      condition: told('condition'),
      message: told('message'),
      remedy: remedyOf(document, vocabulary, code, told('message')),
      example: exampleOf(document, answering, code, status),
      operations: answering,
      isUnrouted: ids.includes(''),
    };
  });
}

/** Returns the body of a response with the code: JSON if an operation answers it so, else text. */
function exampleOf(document: Json, operations: readonly Operation[], code: string, status: number): unknown {
  const media = [
    ...operations.flatMap((operation) =>
      responsesOf(document, operation)
        .filter((one) => one.status === status)
        .map(({ response }) => response),
    ),
    ...Object.values<Json>(document.components.responses),
  ].flatMap((response) => Object.entries<Json>(response.content ?? {}));
  const found = media
    .filter(([type, { examples }]) => type !== 'text/html' && examples?.[code])
    .toSorted(([a], [b]) => (a === b ? 0 : a === 'application/json' ? -1 : 1))[0];
  return found && resolve(document, found[1].examples[code]).value;
}

/** The schemas that list the codes of a vocabulary, with what each means. */
const schemaNames: Readonly<Record<string, string>> = {
  envelope: 'ErrorCode',
  ai: 'ChatErrorCode',
  oauth: 'OAuthErrorCode',
};

/** Returns what to do about a code: the sentences of its meaning behind the first, which says what is wrong. */
function remedyOf(document: Json, vocabulary: string, code: string, message: string): string {
  const { enum: codes = [], 'x-enum-descriptions': meanings = [] } =
    document.components.schemas[schemaNames[vocabulary] ?? ''] ?? {};
  const meaning: string = meanings[codes.indexOf(code)] ?? message;
  const [, ...advice] = meaning.split(/(?<=[.;:]) +(?=[A-Z"a-z])/).filter((part) => !/^\d{3}:$/.test(part));
  const text = advice.join(' ') || message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the list of all codes, and one page for each with its meaning, its status, its operations and an example. */
export function errorPages(document: Json): Page[] {
  const all = meaningsOf(document);
  const pages = [...Map.groupBy(all, ({ code }) => errorPath(code))].map(([path, meanings]) => {
    const title = [...new Set(meanings.map(({ code }) => code))].join(', ');
    return {
      path,
      title,
      markdown: `# ${title}\n\n${meanings.map((one) => section(path, one, meanings.length === 1)).join('\n')}\nAll codes: [error codes](${linkTo(path, 'errors')})\n`,
    };
  });
  return [overview(all), ...pages];
}

function overview(all: readonly CodeMeaning[]): Page {
  const path = 'errors';
  const tables = [...Map.groupBy(all, ({ vocabulary }) => vocabulary)].map(([vocabulary, meanings]) => {
    const rows = meanings
      .toSorted((a, b) => (a.code < b.code ? -1 : 1))
      .map(({ code, status, condition, operations }) => [
        `[\`${code}\`](${linkTo(path, errorPath(code))})`,
        String(status),
        condition,
        String(operations.length || 'any'),
      ]);
    return `## ${vocabularyNames[vocabulary]} {:#${vocabulary}}\n\n${table(['code', 'status', 'when', 'operations'], rows)}`;
  });
  const markdown = `# Error codes

Programs read \`code\`, which does not change. \`message\` is for people: it says what was wrong with which value, what is
allowed and what to do next, and its wording may change. A code has one status.

${tables.join('\n')}`;
  return { path, title: 'Error codes', markdown };
}

function section(path: string, meaning: CodeMeaning, isOnly: boolean): string {
  const { vocabulary, code, status, condition, message, remedy, example, operations, isUnrouted } = meaning;
  const links = operations.map(
    (operation) =>
      `- [${operation.spec.summary ?? operation.id}](${linkToOperation(path, operation)}), \`${operation.method.toUpperCase()} ${operation.path}\``,
  );
  if (isUnrouted) links.push('- Requests that reach no operation');
  const level = isOnly ? '##' : '###';
  const heading = isOnly ? '' : `## ${vocabularyNames[vocabulary]} {:#${vocabulary}}\n\n`;
  return `${heading}${condition || message}

- **Code**: \`${code}\`, in: ${vocabularyNames[vocabulary]}
- **Status**: ${status}
- **Message**: ${message} The server may add the value that it got.
- **What to do**: ${remedy}

${printed(example)}

${level} Operations that answer it {:#${vocabulary}-operations}

${links.join('\n')}
`;
}

function printed(example: unknown): string {
  if (example === undefined) return '';
  return typeof example === 'string'
    ? `\`\`\`text\n${example.trim()}\n\`\`\``
    : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
}
