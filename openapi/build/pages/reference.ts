import { declaredCodes, type Declared } from '../../codegen/print-errors.ts';
import { operationsOf, resolve, responsesOf, type Json, type Operation } from '../../codegen/document.ts';
import { samplesOf } from '../samples/samples.ts';
import { errorPath, linkToOperation, operationAnchor, tagPath } from './addresses.ts';
import { enforced } from './enforced.ts';
import { fieldsOf, typeOf, type Field } from './fields.ts';
import { linkTo, table, type Page } from './page.ts';
import { tagNames } from './tag-names.ts';

/** A tag with its operations, in the order of the contract. */
export interface Tag {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

export function tagsOf(document: Json): Tag[] {
  const all = operationsOf(document);
  return document.tags
    .map(({ name: id, description }: Json) => ({
      id,
      name: tagNames[id] ?? id,
      description,
      operations: all.filter(({ tag }) => tag === id),
    }))
    .filter(({ operations }: Tag) => operations.length > 0);
}

/** Returns the overview of the reference, and one page for each tag. */
export function referencePages(document: Json): Page[] {
  const tags = tagsOf(document);
  const codes = Map.groupBy(declaredCodes(document), ({ operationId }) => operationId);
  return [overview(document, tags), ...tags.map((tag) => tagPage(document, tag, codes))];
}

function overview(document: Json, tags: readonly Tag[]): Page {
  const path = 'reference';
  const lists = tags.map((tag) => {
    const rows = tag.operations.map((operation) => [
      `[${operation.spec.summary}](${linkToOperation(path, operation)})`,
      `\`${operation.method.toUpperCase()} ${operation.path}\``,
    ]);
    return `## [${tag.name}](${linkTo(path, tagPath(tag.id))})\n\n${tag.description}\n\n${table(['operation', 'request'], rows)}`;
  });
  const markdown = `# API reference

Every operation of the API. The contract itself is OpenAPI 3.1: [openapi.yaml](/docs/openapi.yaml) or
[openapi.json](/docs/openapi.json). See also [error codes](errors.md), [limits](limits.md) and [scopes](scopes.md).

${document.info.description.trim()}

![The order in which a request is checked](diagrams/order-of-checks.svg)

![The four hosts of a server: API, links, public files and S3, over one store](diagrams/hosts.svg)

${lists.join('\n')}`;
  return { path, title: 'API reference', markdown };
}

function tagPage(document: Json, tag: Tag, codes: ReadonlyMap<string, readonly Declared[]>): Page {
  const path = tagPath(tag.id);
  const sections = tag.operations.map((operation) =>
    operationSection(document, path, operation, codes.get(operation.id) ?? []),
  );
  const markdown = `# ${tag.name}

${tag.description}

The contract of these operations: [${tag.id}.json](/docs/contract/${tag.id}.json). To look at every schema in depth,
[open it in Redoc](/docs/redoc/${tag.id}.html).

\`\`\`cubby:settings
\`\`\`

${sections.join('\n')}`;
  return { path, title: tag.name, markdown };
}

function operationSection(document: Json, path: string, operation: Operation, codes: readonly Declared[]): string {
  const { id, spec, method } = operation;
  const facts = enforced(document, spec).map(([name, text]) => `- **${name}**: ${text}`);
  const parts = [
    `## ${spec.summary} {:#${operationAnchor(id)}}`,
    `**\`${method.toUpperCase()} ${operation.path}\`**`,
    (spec.description ?? '').trim(),
    facts.join('\n'),
    parameters(document, operation),
    requestBody(document, operation),
    responses(document, operation),
    errorTable(path, id, codes),
    samples(document, operation),
    operation.door === 'operator' ? '' : `\`\`\`cubby:try ${id}\n\`\`\``,
  ];
  return parts.filter(Boolean).join('\n\n') + '\n';
}

const fieldTable = (head: string, fields: readonly Field[]): string =>
  table(
    [head, 'type', 'meaning'],
    fields.map(({ name, type, isRequired, description }) => [
      `\`${name}\`${isRequired ? ' *' : ''}`,
      type,
      description,
    ]),
  );

function parameters(document: Json, { id, spec }: Operation): string {
  const all: Json[] = (spec.parameters ?? []).map((one: Json) => resolve(document, one));
  if (all.length === 0) return '';
  const rows = all.map((one) => [
    `\`${one.name}\`${one.required ? ' *' : ''}`,
    one.in,
    typeOf(document, one.schema ?? {}),
    one.description ?? resolve(document, one.schema ?? {}).description ?? '',
  ]);
  return `### Parameters {:#${operationAnchor(id)}-parameters}\n\n${table(['name', 'in', 'type', 'meaning'], rows)}\n\\* required`;
}

function requestBody(document: Json, { id, spec }: Operation): string {
  const { content, required } = resolve(document, spec.requestBody ?? {});
  if (!content) return '';
  const parts = Object.entries<Json>(content).map(([type, media]) => {
    const fields = fieldsOf(document, media.schema ?? {});
    return `\`${type}\`${required ? '' : ', optional'}\n\n${fields.length > 0 ? fieldTable('field', fields) : `${typeOf(document, media.schema ?? {})}\n`}`;
  });
  // The same fields in another media type are not repeated.
  const distinct = parts.filter(
    (part, index) => parts.findIndex((other) => other.split('\n\n')[1] === part.split('\n\n')[1]) === index,
  );
  const types = Object.keys(content);
  const also = distinct.length < parts.length ? `Also as \`${types.slice(1).join('`, `')}\`.\n` : '';
  return `### Request body {:#${operationAnchor(id)}-body}\n\n${distinct.join('\n')}${also}`;
}

function printed(value: unknown): string {
  return typeof value === 'string'
    ? `\`\`\`text\n${value.trim()}\n\`\`\``
    : `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** Pages for browsers and bytes are no readable examples. */
const readableTypes = /json|text\/plain|x-www-form/;

function responses(document: Json, operation: Operation): string {
  const successes = responsesOf(document, operation).filter(({ status }) => status < 400);
  const parts = successes.map(({ status, response }) => {
    const headers = Object.keys(response.headers ?? {}).map((name) => `\`${name}\``);
    const contents = Object.entries<Json>(response.content ?? {}).map(([type, media]) => {
      const fields = fieldsOf(document, media.schema ?? {}).filter(
        ({ name }) => name !== 'status' && name !== 'response',
      );
      const examples = readableTypes.test(type)
        ? Object.values<Json>(media.examples ?? {})
            .map((one) => resolve(document, one).value)
            .slice(0, 1)
        : [];
      return [`\`${type}\``, fieldTable('field', fields), ...examples.map(printed)].filter(Boolean).join('\n\n');
    });
    return `**${status}** ${response.description.trim()}\n\n${headers.length > 0 ? `Headers: ${headers.join(', ')}\n\n` : ''}${contents.join('\n\n')}`;
  });
  return `### Response {:#${operationAnchor(operation.id)}-response}\n\n${parts.join('\n\n')}`;
}

function errorTable(path: string, id: string, codes: readonly Declared[]): string {
  const first = [...Map.groupBy(codes, ({ code }) => code).values()].map((same) => ({
    ...same[0]!,
    condition: same.find(({ condition }) => condition)?.condition ?? '',
  }));
  if (first.length === 0) return '';
  const rows = first
    .toSorted((a, b) => a.status - b.status)
    .map(({ code, status, condition }) => [
      String(status),
      `[\`${code}\`](${linkTo(path, errorPath(code))})`,
      condition,
    ]);
  return `### Errors {:#${operationAnchor(id)}-errors}\n\n${table(['status', 'code', 'when'], rows)}`;
}

function samples(document: Json, operation: Operation): string {
  const tabs = samplesOf(document, operation).map(
    ({ label, language, source }) => `\`\`\`${language} [${label}]\n${source}\n\`\`\``,
  );
  return `### Samples {:#${operationAnchor(operation.id)}-samples}\n\n::: code-group\n${tabs.join('\n')}\n:::`;
}
