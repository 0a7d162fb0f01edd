import { operationsOf, resolve, type Json } from '../../codegen/document.ts';
import { linkToOperation } from './addresses.ts';
import { table, type Page } from './page.ts';

const path = 'scopes';

/** Returns the page of scopes: the operations that a key with each scope may call, and those that need none. */
export function scopesPage(document: Json): Page {
  const operations = operationsOf(document);
  const scopesOf = (spec: Json): string[] => spec['x-scopes'] ?? [];
  const isOperators = (spec: Json): boolean => spec.security?.some((one: Json) => one.operatorKey) ?? false;
  const isOpen = (spec: Json): boolean => (spec.security ?? document.security).length === 0;
  const all = [...new Set(operations.flatMap(({ spec }) => scopesOf(spec)))].toSorted();
  const list = (of: typeof operations) =>
    table(
      ['operation', 'request', 'upload token'],
      of.map((operation) => [
        `[${operation.spec.summary}](${linkToOperation(path, operation)})`,
        `\`${operation.method.toUpperCase()} ${operation.path}\``,
        tokenNames[operation.spec['x-upload-token']] ?? '',
      ]),
    );
  const sections = all.map((scope) => {
    const of = operations.filter(({ spec }) => scopesOf(spec).includes(scope));
    return `## \`${scope}\` {:#${scope === '*' ? 'all' : scope.replace(':', '-')}}\n\n${list(of)}`;
  });
  const known: string[] = (document.components.schemas.ApiKeyScopes.oneOf ?? []).flatMap(
    (one: Json) => resolve(document, one.items ?? {}).enum ?? [],
  );
  const unused = known.filter((scope) => !all.includes(scope)).map((scope) => `\`${scope}\``);
  const unscoped = operations.filter(({ spec }) => scopesOf(spec).length === 0);
  const markdown = `# Scopes

The scopes of a key say which operations it may call. If an operation names several, one of them is enough, unless
its own section says "and". A key without them gets 403 \`MISSING_SCOPE\`. A key with \`*\` may call everything.

${sections.join('\n')}
## Any key

${list(unscoped.filter(({ spec }) => !isOpen(spec) && !isOperators(spec)))}
## An operator key

Keys of accounts do not work here, and an operator key works nowhere else.

${list(unscoped.filter(({ spec }) => isOperators(spec)))}
## No key

${list(unscoped.filter(({ spec }) => isOpen(spec)))}
## Reserved

A key may have these scopes, and no operation asks for them yet: ${unused.join(', ')}.
`;
  return { path, title: 'Scopes', markdown };
}

const tokenNames: Readonly<Record<string, string>> = {
  spend: 'works, and spends a use',
  follow: 'works for its own uploads',
};
