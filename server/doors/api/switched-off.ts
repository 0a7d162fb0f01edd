import { policies, type OperationId } from '#generated/policies.ts';
import type { ChangeText } from '#server/doors/site/site-files.ts';
import { namedCodes, removeCodes, removeFromVocabularies } from './codes-off.ts';
import { removeFields } from './fields-off.ts';

/** What a server does without. */
export interface SwitchedOff {
  /** The features that are switched off, each with its pages of the documentation. */
  readonly features: ReadonlyArray<{ readonly name: string; readonly pages?: readonly string[] }>;
  /** The operations without a handler. */
  readonly operations: ReadonlySet<string>;
  /** The tags all of whose operations are among them. */
  readonly tags: ReadonlySet<string>;
}

/** Returns what a server with these handlers does without. Routes of the public host are none of its operations. */
export function switchedOff(features: SwitchedOff['features'], handlers: object): SwitchedOff {
  const operations = (Object.keys(policies) as OperationId[]).filter((id) => policies[id].door !== 'public');
  const off = new Set<string>(operations.filter((id) => !(id in handlers)));
  const byTag = Map.groupBy(operations, (id) => policies[id].tag as string);
  const tags = [...byTag].filter(([, ids]) => ids.every((id) => off.has(id))).map(([tag]) => tag);
  // Plain, because a thread gets it.
  const named = features.map(({ name, pages = [] }) => ({ name, pages }));
  return { features: named, operations: off, tags: new Set(tags) };
}

/**
 * Returns a contract without the operations that are switched off, without what only they name, and without the fields
 * and codes of features that are switched off. Changes it.
 */
export function contractWithout(document: Contract, { features, operations, tags }: SwitchedOff): Contract {
  if (features.length === 0) return document;
  const off = new Set(features.map(({ name }) => name));
  const namedBefore = namedCodes(document);
  removeFields(document, off);
  removeCodes(document, off);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) if (isOff(operation, operations)) delete item[method];
    if (!Object.values(item).some((one) => isOperation(one))) delete document.paths[path];
  }
  document.tags = document.tags.filter(({ name }) => !tags.has(name));
  const { webhooks } = document;
  for (const [name, item] of Object.entries(webhooks ?? {}))
    if (Object.values(item).some((one) => one.tags.some((tag) => tags.has(tag)))) delete webhooks![name];
  if (webhooks && Object.keys(webhooks).length === 0) delete document.webhooks;
  removeUnnamed(document);
  removeFromVocabularies(document, namedBefore);
  return document;
}

interface Contract {
  paths: Record<string, Record<string, unknown>>;
  tags: Array<{ readonly name: string }>;
  /** What others receive. */
  webhooks?: Record<string, Record<string, { readonly tags: readonly string[] }>>;
  readonly components: Record<string, Record<string, unknown>>;
}

function isOperation(value: unknown): value is { readonly operationId: string } {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}

function isOff(value: unknown, operations: ReadonlySet<string>): boolean {
  return isOperation(value) && operations.has(value.operationId);
}

/** Removes components that nothing names any more. Security schemes are named without a reference. */
function removeUnnamed({ components, ...rest }: Contract): void {
  const named = new Set<string>();
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      if (key !== '$ref' || typeof one !== 'string' || named.has(one)) follow(one);
      else {
        named.add(one);
        const [, , kind, name] = one.split('/');
        follow(components[kind!]?.[name!]);
      }
    }
  };
  follow(rest);
  for (const [kind, all] of Object.entries(components))
    if (kind !== 'securitySchemes')
      for (const name of Object.keys(all)) if (!named.has(`#/components/${kind}/${name}`)) delete all[name];
}

/** Returns the documentation with a note about what is switched off on this server. */
export function pagesNoting({ features, tags }: SwitchedOff): ChangeText {
  if (features.length === 0) return (text) => text;
  const note = `Switched off on this server: ${features.map(({ name }) => name).join(', ')}.`;
  const leftOut = [
    ...features.flatMap(({ pages = [] }) => pages.map((page) => `/docs/${page}.md)`)),
    ...[...tags].flatMap((tag) => [`/contract/${tag}.json)`, `/reference/${tag}.md)`]),
  ];
  return (text, path) => {
    if (path === 'llms.txt') return withoutLines(text, leftOut).replace(/^> .*$/m, (line) => `${line}\n> ${note}`);
    if (path.endsWith('.md')) return `> ${note}\n\n${text}`;
    return path.endsWith('.html')
      ? text.replace(/<body[^<>]*>/, (body) => `${body}${style}<p class="off-here">${note}</p>`)
      : text;
  };
}

function withoutLines(text: string, ends: readonly string[]): string {
  return text
    .split('\n')
    .filter((line) => !ends.some((end) => line.endsWith(end)))
    .join('\n');
}

/** The bar stays at the top. The pages of the generator move their own fixed parts below it. */
const style =
  '<style>:root{--vp-layout-top-height:2.5rem}.off-here{position:sticky;top:0;z-index:60;margin:0;height:2.5rem;' +
  'line-height:2.5rem;padding:0 1rem;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;color:#3d2a00;' +
  'background:#ffe9b8}</style>';
