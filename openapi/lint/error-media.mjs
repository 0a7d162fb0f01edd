import { responsesOf } from './place.mjs';

function isError(status) {
  return /^[45]/.test(status) || status === 'default';
}

/** The media types of the error responses of an operation. */
export function errorMediaOf(operation) {
  return responsesOf(operation)
    .filter(([status]) => isError(status))
    .flatMap(([status, response]) =>
      (response.at('content')?.entries() ?? []).map(([type, media]) => ({
        status,
        type,
        media,
        isJson: /[/+]json$/.test(type),
      })),
    );
}

/**
 * The codes to which a response narrows itself, and their vocabulary. JSON narrows `code` (the envelope), `error.code`
 * (the AI gateway) or `error` (RFC 6749) with an `enum` of its own; the whole vocabulary, which stands behind a
 * reference, does not count. Text and pages name theirs in `x-codes`; they speak the envelope's vocabulary.
 */
export function narrowedCodes(media) {
  if (media.node['x-codes']) return { vocabulary: 'envelope', codes: media.node['x-codes'] };
  const schema = media.at('schema');
  return schema && codesOfSchema(schema);
}

function codesOfSchema(schema) {
  const inline = (where, key) => (where?.node.properties?.[key]?.$ref ? undefined : where?.at('properties')?.at(key));
  const pieces = (keyword) =>
    (schema.at(keyword)?.entries() ?? []).map(([, piece]) => codesOfSchema(piece)).filter(Boolean);
  const error = inline(schema, 'error');
  const own = [
    ['envelope', inline(schema, 'code')],
    ['ai', inline(error, 'code')],
    ['oauth', error],
  ].flatMap(([vocabulary, property]) => {
    const codes = property?.node.enum ?? (property?.node.const === undefined ? undefined : [property.node.const]);
    return codes ? [{ vocabulary, codes }] : [];
  });
  // One of several schemas lets through what any of them does; `allOf`, what all of its pieces do.
  const either = [...pieces('oneOf'), ...pieces('anyOf')].reduce(
    (all, one) => ({ ...one, codes: [...new Set([...(all?.codes ?? []), ...one.codes])] }),
    undefined,
  );
  const together = [...own, ...pieces('allOf'), ...(either ? [either] : [])];
  return together.reduce(
    (all, one) => ({ ...all, codes: all.codes.filter((code) => one.codes.includes(code)) }),
    together[0],
  );
}

/** The code of one named example: what its JSON says; of text and pages, its name. */
export function codeOfExample(name, example, isJson) {
  if (!isJson) return name;
  const value = example.node.value;
  return typeof value?.error === 'string' ? value.error : (value?.code ?? value?.error?.code);
}
