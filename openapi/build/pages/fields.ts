import { resolve, type Json } from '../../codegen/document.ts';

/** A field of a body, or a parameter, as a row of a table. */
export interface Field {
  /** `destination.name`, `objects[]`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** Deeper fields are left to the contract itself. */
const maxDepth = 5;

/** Joins a schema with what it refers to and with the parts of `allOf`. A reference may have siblings. */
function whole(document: Json, schema: Json): Json {
  const { allOf = [], ...own } = { ...resolve(document, schema), ...schema };
  delete own.$ref;
  const parts: Json[] = allOf.map((part: Json) => whole(document, part));
  const joined: Json = Object.assign({}, ...parts, own);
  const properties = parts.concat(own).flatMap((part) => Object.entries<Json>(part.properties ?? {}));
  if (properties.length > 0) {
    joined.properties = {};
    for (const [name, field] of properties) joined.properties[name] = { ...joined.properties[name], ...field };
  }
  joined.required = [...new Set(parts.concat(own).flatMap((part) => part.required ?? []))];
  return joined;
}

const shown = (value: unknown): string => `\`${JSON.stringify(value)}\``;

/** `1 to 1000`, `at least 1`. */
function range(from: number | undefined, to: number | undefined, unit = ''): string {
  if (from !== undefined && to !== undefined) return from === to ? `${from}${unit}` : `${from} to ${to}${unit}`;
  if (from !== undefined) return `at least ${from}${unit}`;
  return to === undefined ? '' : `at most ${to}${unit}`;
}

function alternatives(node: Json): Json[] {
  return node.oneOf ?? node.anyOf ?? [];
}

/** Describes the values of a schema in a few words: `integer, 1 to 1000`. */
export function typeOf(document: Json, schema: Json): string {
  const node = whole(document, schema);
  if ('const' in node) return shown(node.const);
  if (node.enum) return node.enum.map(shown).join(', ');
  const choices = alternatives(node).filter((choice) => choice.type || choice.$ref || choice.enum || choice.allOf);
  if (choices.length > 0 && !node.properties)
    return [...new Set(choices.map((choice) => typeOf(document, choice)))].join(' or ');
  const types = [node.type ?? (node.properties ? 'object' : 'any value')].flat();
  const names = types.map((type: string) => {
    if (type === 'array') return `list of ${typeOf(document, node.items ?? {})}`;
    if (type === 'string' && node.format === 'binary') return 'bytes';
    if (type === 'string' && node.format === 'date-time') return 'timestamp';
    return type;
  });
  const facts = [
    names.join(' or '),
    range(node.minimum, node.maximum),
    node.format === 'binary' ? '' : range(node.minLength || undefined, node.maxLength, ' characters'),
    range(node.minItems, node.maxItems, ' entries'),
  ];
  return facts.filter(Boolean).join(', ');
}

function describe(node: Json): string {
  const text: string = node.description ?? '';
  return 'default' in node ? `${text.trim()} Default: ${shown(node.default)}.` : text;
}

/**
 * Returns the fields of an object, with the fields inside of them. Fields that a request may repeat from a response are
 * left out, because they are ignored.
 */
export function fieldsOf(document: Json, schema: Json, at = '', depth = 0): Field[] {
  const node = whole(document, schema);
  if (depth > maxDepth) return [];
  const inner = (name: string) => (at === '' ? name : `${at}.${name}`);
  const named = Object.entries<Json>(node.properties ?? {}).filter(([, field]) => field.readOnly !== true);
  const fields = named.flatMap(([name, field]) => [
    {
      name: inner(name),
      type: typeOf(document, field),
      isRequired: node.required.includes(name),
      description: describe(whole(document, field)),
    },
    ...fieldsOf(document, field, inner(name), depth + 1),
  ]);
  const items = node.items ? fieldsOf(document, node.items, `${at}[]`, depth + 1) : [];
  const values =
    typeof node.additionalProperties === 'object'
      ? fieldsOf(document, node.additionalProperties, inner('*'), depth + 1)
      : [];
  const choices = alternatives(node).flatMap((choice) =>
    choice.properties || choice.$ref || choice.allOf || choice.items ? fieldsOf(document, choice, at, depth + 1) : [],
  );
  const known = new Set(fields.map(({ name }) => name));
  const further = [...choices, ...items, ...values].filter(({ name }) => !known.has(name) && known.add(name));
  return [...fields, ...further];
}
