import type { Json } from '../codegen/document.ts';
import { tagsOf } from './pages/reference.ts';
import { enforced } from './pages/enforced.ts';
import { samplesOf } from './samples/samples.ts';

/** Returns one contract for each tag: its operations, and the components that they refer to. */
export function tagContracts(document: Json): Map<string, Json> {
  return new Map(
    tagsOf(document).map(({ id, operations }) => {
      const paths: Json = {};
      for (const { path, method, spec } of operations) {
        const { 'x-door': door } = document.paths[path];
        paths[path] ??= door === undefined ? {} : { 'x-door': door };
        paths[path][method] = spec;
      }
      const { components, 'x-unrouted': _, ...rest } = document;
      const tags = document.tags.filter(({ name }: Json) => name === id);
      const { securitySchemes } = components;
      return [id, { ...rest, tags, paths, components: { securitySchemes, ...used(paths, components) } }];
    }),
  );
}

/** Returns the components that a value refers to, also through other components. */
function used(value: unknown, components: Json): Json {
  const found: Json = {};
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    for (const [name, inner] of Object.entries(node)) {
      const [, kind, key] = (name === '$ref' && /^#\/components\/([^/]+)\/([^/]+)/.exec(String(inner))) || [];
      if (kind === undefined || key === undefined) visit(inner);
      else if (!(key in (found[kind] ?? {}))) {
        (found[kind] ??= {})[key] = components[kind][key];
        visit(components[kind][key]);
      }
    }
  };
  visit(value);
  return found;
}

/**
 * Prepares the contract of a tag for Redoc, which shows no extensions: the enforced limits become text, and each
 * operation gets its samples.
 */
export function contractForRedoc(document: Json, contract: Json): Json {
  const copy = structuredClone(contract);
  const [tag] = tagsOf(copy);
  const { api_url: api } = document.servers[0].variables;
  copy.servers = [{ url: api.default, description: document.servers[0].description }];
  copy.info = { ...copy.info, title: tag!.name, summary: undefined, description: tag!.description };
  // Its name and description stand above the operations already.
  copy.tags = copy.tags.map(({ description: _, ...one }: Json) => ({ ...one, 'x-displayName': 'Operations' }));
  for (const operation of tag!.operations) {
    const { spec } = operation;
    spec['x-codeSamples'] = samplesOf(document, operation).map(({ label, language, source }) => ({
      lang: language,
      label,
      source,
    }));
    const facts = enforced(document, spec).map(([name, text]) => `- **${name}**: ${text}\n`);
    spec.description = `${spec.description ?? ''}\n\n${facts.join('')}`;
  }
  return copy;
}
