import { codeOfExample, errorMediaOf, narrowedCodes } from './error-media.mjs';
import { eachOperation, operationsOf } from './place.mjs';

export const errorExamples = eachOperation((operation, report) => {
  for (const { status, type, media, isJson } of errorMediaOf(operation)) {
    const where = `${operation.name} answers ${status} (${type})`;
    const examples = media.at('examples')?.entries() ?? [];
    if (examples.length === 0) {
      report(`${where} without an example. Name at least one under \`examples\`, one for each code.`, media);
      continue;
    }
    const codes = narrowedCodes(media)?.codes;
    if (!codes) continue; // error-codes-narrowed reports it
    const shown = examples.map(([name, example]) => codeOfExample(name, example, isJson));
    examples.forEach(([name], index) => {
      if (!codes.includes(shown[index])) {
        report(
          `${where}: the example "${name}" shows the code ${shown[index]}, which the response does not list. Add the code, or remove the example.`,
          media,
        );
      }
    });
    for (const code of codes.filter((one) => !shown.includes(one))) {
      report(`${where}: the code ${code} has no example. Add one under \`examples\`, or remove the code.`, media);
    }
  }
});

export const errorCodesNarrowed = eachOperation((operation, report) => {
  for (const { status, type, media, isJson } of errorMediaOf(operation)) {
    if (narrowedCodes(media)?.codes.length) continue;
    const remedy = isJson
      ? 'Put `allOf` around the error schema and list the codes of this answer in an `enum`.'
      : 'List them in `x-codes` beside the schema.';
    report(`${operation.name} answers ${status} (${type}) without saying which codes it can carry. ${remedy}`, media);
  }
});

/**
 * Each shape of error has a vocabulary of its own: `access_denied` of the AI gateway is another code than RFC 6749's.
 */
export const oneStatusForACode = () => ({
  Root(root, ctx) {
    const first = new Map();
    for (const operation of operationsOf(root, ctx)) {
      for (const { status, media } of errorMediaOf(operation)) {
        const { vocabulary, codes } = narrowedCodes(media) ?? { codes: [] };
        for (const code of codes) {
          const key = `${vocabulary} ${code}`;
          const known = first.get(key);
          if (!known) first.set(key, { status, name: operation.name });
          else if (known.status !== status) {
            ctx.report({
              message: `${code} is answered with ${status} by ${operation.name}, but with ${known.status} by ${known.name}. A code has one HTTP status; choose one, or another code.`,
              location: media.location,
            });
          }
        }
      }
    }
  },
});
