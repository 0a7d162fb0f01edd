import { eachObject, followed, isObject, type Json } from './contract-nodes.ts';

/**
 * Removes the error codes that only features give which are switched off: those whose example names such a feature. A
 * response that has no other code goes too.
 */
export function removeCodes(document: Json, off: ReadonlySet<string>): void {
  const gone = codesOfFeatures(document, off);
  eachObject(document, ({ responses }) => {
    if (!isObject(responses)) return;
    for (const [status, response] of Object.entries<Json>(responses)) {
      const { content } = followed(document, response);
      if (!content) continue;
      for (const [type, media] of Object.entries<Json>(content)) if (!keepsCodes(media, gone)) delete content[type];
      if (Object.keys(content).length === 0) delete responses[status];
    }
  });
}

/** Removes from the vocabularies what responses named before, and no longer name. */
export function removeFromVocabularies(document: Json, namedBefore: ReadonlySet<string>): void {
  const named = namedCodes(document);
  for (const schema of Object.values<Json>(document.components.schemas)) {
    const { enum: codes, 'x-enum-descriptions': meanings } = schema;
    if (!meanings) continue;
    const isLeft = (_one: unknown, at: number) => !namedBefore.has(codes[at]) || named.has(codes[at]);
    schema.enum = codes.filter(isLeft);
    schema['x-enum-descriptions'] = meanings.filter(isLeft);
  }
}

/** Returns the codes of all error responses. */
export function namedCodes(document: Json): Set<string> {
  const named = new Set<string>();
  eachObject(document, ({ content }) => {
    if (!isObject(content)) return;
    for (const media of Object.values(content)) for (const code of codesOf(media) ?? []) named.add(code);
  });
  return named;
}

function codesOfFeatures(document: Json, off: ReadonlySet<string>): Set<string> {
  const codes = new Set<string>();
  eachObject(document, ({ examples }) => {
    if (!isObject(examples)) return;
    // An error response has its examples by their codes.
    for (const [code, example] of Object.entries<Json>(examples))
      if (off.has(followed(document, example)['x-feature'])) codes.add(code);
  });
  return codes;
}

/** Removes codes from a form of a response. Returns whether anything is left of it. */
function keepsCodes(media: Json, gone: ReadonlySet<string>): boolean {
  const codes = codesOf(media);
  if (!codes) return true;
  codes.splice(0, codes.length, ...codes.filter((code) => !gone.has(code)));
  for (const code of gone) delete media.examples[code];
  return codes.length > 0;
}

/** Returns the codes of texts, or those that an error in JSON is narrowed to. Undefined for any other response. */
function codesOf(media: Json): string[] | undefined {
  if (media?.['x-codes']) return media['x-codes'];
  const { code, error } = media?.schema?.allOf?.[1]?.properties ?? {};
  return [code, error, error?.properties?.code].find((one) => one?.enum)?.enum;
}
