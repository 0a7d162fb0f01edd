import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

import type { Json } from '#openapi/codegen/document.ts';

/** RFC 3339 wants its `T` and `Z`; ajv-formats alone takes a space and lower case too. */
const strictDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Checks values against schemas of the bundled contract (JSON Schema 2020-12), and names every place in which a value
 * breaks its schema. A schema is compiled when it is first used, and kept.
 */
export function schemaChecker(document: Json): (schema: Json) => (value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, validateSchema: false });
  ajvFormats.default(ajv);
  const { validate } = ajv.formats['date-time'] as { validate: (text: string) => boolean };
  ajv.addFormat('date-time', (text: string) => strictDateTime.test(text) && validate(text));
  const compiled = new Map<Json, ValidateFunction>();
  const { components } = document;
  return (schema) => {
    const known = compiled.get(schema);
    // A reference may have siblings (2020-12), so the schema keeps its own place; `#/components/…` is found beside it.
    const check = known ?? ajv.compile({ allOf: [schema], components });
    if (!known) compiled.set(schema, check);
    return (value) => (check(value) ? [] : (check.errors ?? []).map(inWords));
  };
}

/** ` at /response/size must be >= 0 (is -1)`: goes on where the caller has named the body or header. */
function inWords({ instancePath, message, keyword, params, data }: ErrorObject): string {
  const at = instancePath ? ` at ${instancePath}` : '';
  const is = typeof data === 'object' && data !== null ? '' : ` (is ${JSON.stringify(data)})`;
  if (keyword === 'enum') return `${at} must be one of ${params.allowedValues.join(', ')}${is}`;
  if (keyword === 'const') return `${at} must be ${JSON.stringify(params.allowedValue)}${is}`;
  return `${at} ${message}${is}`;
}
