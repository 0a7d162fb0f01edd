import { describe, expect, it } from 'vitest';

import { resolve, type Json } from '#openapi/codegen/document.ts';
import { contract } from '#test/support/contract.ts';

/*
 * Definitions. A place is an entry of `properties` anywhere in the bundle, a parameter or a header. Each is counted
 * where it is written. References are not counted again. A part of an `allOf` that narrows a property of another part,
 * or of one of its forms, is not a place of its own. A place is described if it or its referenced schema has a
 * description. It has an example if it, its schema or its referenced schema has one, or a `const`. An array has an
 * example if its items have one. An object whose properties are places has theirs. A choice has an example if its first
 * form has one. An `enum` and a `default` are not examples.
 */

interface Place {
  /** Path in the bundle: `/components/schemas/Share/properties/url`. */
  readonly at: string;
  readonly node: Json;
}

const isNode = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Returns the schema of a place: the `schema` of a parameter or header, or the property itself. */
const schemaOf = (node: Json): Json => resolve(contract, node.schema ?? node);

/** Returns the properties, parameters and headers below a node. */
function placesOf(node: unknown, at: string): Place[] {
  if (!isNode(node)) return [];
  return Object.entries<Json>(node).flatMap(([key, value]) => {
    const inside = `${at}/${key}`;
    // Examples contain values, which may look like anything.
    if (!isNode(value) || key === 'examples' || key === 'example') return [];
    if (key === 'properties') return propertiesOf(value, inside, []);
    if (key === 'allOf') return piecesOf(value as Json[], inside);
    if (key === 'headers' || key === 'parameters') {
      const own = Object.entries<Json>(value).filter(([, one]) => !one.$ref);
      return [...own.map(([name, one]) => ({ at: `${inside}/${name}`, node: one })), ...placesOf(value, inside)];
    }
    return placesOf(value, inside);
  });
}

/** The properties of a part that narrows another part are not places of their own. */
function piecesOf(pieces: readonly Json[], at: string): Place[] {
  return pieces.flatMap((piece, index) => {
    const others = pieces.filter((other) => other !== piece).flatMap(formsOf);
    const { properties = {}, ...rest } = piece;
    return [...propertiesOf(properties, `${at}/${index}/properties`, others), ...placesOf(rest, `${at}/${index}`)];
  });
}

/** The forms of a choice, or the schema itself. */
function formsOf(schema: Json): Json[] {
  const { oneOf, anyOf, ...found } = resolve(contract, schema);
  return oneOf || anyOf ? (oneOf ?? anyOf).flatMap(formsOf) : [found];
}

function propertiesOf(properties: Json, at: string, beside: readonly Json[]): Place[] {
  return Object.entries<Json>(properties).flatMap(([name, property]) => {
    const same = beside.flatMap((piece) => piece.properties?.[name] ?? []).map((one: Json) => resolve(contract, one));
    const inside = `${at}/${name}`;
    if (same.length === 0) return [{ at: inside, node: property }, ...placesOf(property, inside)];
    const { properties: deeper = {}, ...rest } = property;
    return [...propertiesOf(deeper, `${inside}/properties`, same), ...placesOf(rest, inside)];
  });
}

const isDescribed = (node: Json): boolean => Boolean(node.description ?? schemaOf(node).description);

function hasExample(node: Json): boolean {
  const schema = schemaOf(node);
  if ([node, node.schema ?? {}, schema].some((one) => 'example' in one || 'examples' in one || 'const' in one))
    return true;
  if (schema.items) return hasExample(schema.items);
  if (schema.properties) return true;
  const [first] = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [];
  return first !== undefined && hasExample(first);
}

/** Words for the unit of a number. Also words for numbers without one: a name, a position or a share. */
const units = [
  /\b(byte|second|millisecond|day|token|request|error|file|part|download|upload)s?\b/i,
  /\b(BRL|currency|entries|deploys|UTF-16 code units|number|status|index|Unix time|seed)\b/i,
  /\bfrom -?\d+(\.\d+)? to \d+/i,
];

/** A named schema is described by its properties. */
const named = Object.entries<Json>(contract.components.schemas);

const places = placesOf({ paths: contract.paths, components: contract.components }, '');

describe('the contract', () => {
  it('has places to count', () => {
    expect(places.length).toBeGreaterThan(400);
    expect(places.map(({ at }) => at)).toEqual(
      expect.arrayContaining([
        '/components/schemas/ObjectInfo/properties/size',
        '/components/parameters/upload-name',
        '/components/headers/ETag',
      ]),
    );
  });

  it('describes every property, parameter and header', () => {
    expect(places.filter(({ node }) => !isDescribed(node)).map(({ at }) => at)).toEqual([]);
  });

  it('describes every named schema', () => {
    expect(named.length).toBeGreaterThan(90);
    expect(named.filter(([, schema]) => !schema.description).map(([name]) => name)).toEqual([]);
  });

  it('shows an example of every property, parameter and header', () => {
    // The response has the example of a field that a request may repeat.
    const shown = places.filter(({ node }) => node.readOnly !== true);
    expect(shown.filter(({ node }) => !hasExample(node)).map(({ at }) => at)).toEqual([]);
  });

  it('names the unit of every number', () => {
    const numbers = places.filter(({ node }) =>
      [schemaOf(node).type].flat().some((type) => type === 'integer' || type === 'number'),
    );
    expect(numbers.length).toBeGreaterThan(40);
    const words = ({ node }: Place) => [node.description, schemaOf(node).description].join(' ');
    const isNamed = (place: Place) => units.some((unit) => unit.test(words(place)));
    expect(numbers.filter((place) => !isNamed(place)).map((place) => `${place.at}: ${words(place)}`)).toEqual([]);
  });

  it.each(['ErrorCode', 'ChatErrorCode', 'OAuthErrorCode'])(
    'explains the meaning and the next step of every code in %s',
    (name) => {
      const { enum: codes, 'x-enum-descriptions': meanings } = contract.components.schemas[name];
      expect(meanings).toHaveLength(codes.length);
      // The status, the condition or the allowed values, and the next step: at least two sentences.
      for (const meaning of meanings) expect(meaning).toMatch(/^[2-5]\d\d(, of one file)?: \S.*[.;:] [A-Za-z].*\.$/s);
    },
  );
});
