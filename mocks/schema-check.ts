import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

import type { Json } from '#openapi/codegen/document.ts';

/** RFC 3339 with `T` and `Z`. ajv-formats alone also accepts a space and lower case. */
const strictDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const inDocument = '#/components/schemas/';

/** The ids under which Ajv knows the contract's schemas begin with this. */
const inAjv = 'https://contract.invalid/';

/** Returns the schema with its references, `#/components/…`, pointing to the shared components. */
function inBundle(schema: unknown): Json {
  const aimed = JSON.stringify(schema, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace(inDocument, inAjv) : value,
  );
  return JSON.parse(aimed);
}

/**
 * Checks values against schemas of the bundled contract (JSON Schema 2020-12). Returns every violation. Schemas are
 * compiled on first use and cached.
 */
export function schemaChecker(document: Json): (schema: Json) => (value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, validateSchema: false });
  ajvFormats.default(ajv);
  const { validate } = ajv.formats['date-time'] as { validate: (text: string) => boolean };
  ajv.addFormat('date-time', (text: string) => strictDateTime.test(text) && validate(text));
  const compiled = new Map<Json, ValidateFunction>();
  // Each has an id of its own: Ajv would compile a part of a document again for every schema that refers to it.
  for (const [name, schema] of Object.entries<Json>(document.components?.schemas ?? {}))
    ajv.addSchema(inBundle(schema), inAjv + name);
  return (schema) => {
    const known = compiled.get(schema);
    const check = known ?? ajv.compile(inBundle(schema));
    if (!known) compiled.set(schema, check);
    return (value) => (check(value) ? [] : (check.errors ?? []).map(described));
  };
}

/** Formats as ` at /response/size must be >= 0 (is -1)`. The caller prefixes the body or header. */
function described({ instancePath, message, keyword, params, data }: ErrorObject): string {
  const at = instancePath ? ` at ${instancePath}` : '';
  const is = typeof data === 'object' && data !== null ? '' : ` (is ${JSON.stringify(data)})`;
  if (keyword === 'enum') return `${at} must be one of ${params.allowedValues.join(', ')}${is}`;
  if (keyword === 'const') return `${at} must be ${JSON.stringify(params.allowedValue)}${is}`;
  return `${at} ${message}${is}`;
}
