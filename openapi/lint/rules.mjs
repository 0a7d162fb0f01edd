/**
 * Own lint rules of the contract. `redocly.yaml` turns them on as `cubby/<rule>`;
 * `openapi/README.md` says what the contract owes; `test/contract/lint-rules.test.ts` shows each rule at work.
 *
 * Every rule walks the operations from the root, because what it judges (a path, a status, an example) lies in several files.
 */

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

const operationIdPattern =
  /^(upload|list|delete|update|copy|get|start|put|complete|abort|create|replace|revoke|regenerate|open|submit|set|receive|request|poll|show)[A-Z][A-Za-z0-9]*$/;

/**
 * A node of the document and where it lies. `at` goes down one step and follows references; it is `undefined` where
 * nothing lies, so that steps can be chained.
 */
class Place {
  constructor(ctx, node, location) {
    this.ctx = ctx;
    this.node = node;
    this.location = location;
  }

  static follow(ctx, node, location) {
    let place = new Place(ctx, node, location);
    while (typeof place.node?.$ref === 'string') {
      const target = ctx.resolve(place.node, place.location.source.absoluteRef);
      // A reference that leads nowhere is reported by the built-in rule no-unresolved-refs.
      if (target.node === undefined) return undefined;
      place = new Place(ctx, target.node, target.location);
    }
    return place;
  }

  at(key) {
    const child = this.node?.[key];
    return child === undefined ? undefined : Place.follow(this.ctx, child, this.location.child([key]));
  }

  entries() {
    return Object.keys(this.node ?? {}).flatMap((key) => {
      const child = this.at(key);
      return child ? [[key, child]] : [];
    });
  }
}

/** Every operation with its path, its method, its place and a name for messages. */
function operationsOf(root, ctx) {
  const top = new Place(ctx, root, ctx.location);
  return (top.at('paths')?.entries() ?? []).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const place = item.at(method);
      if (!place) return [];
      const name = place.node.operationId ?? `${method.toUpperCase()} ${path}`;
      return [{ path, method, item, place, spec: place.node, name }];
    }),
  );
}

/** The responses of an operation: status as text, and its place. */
function responsesOf(operation) {
  return operation.place.at('responses')?.entries() ?? [];
}

function isError(status) {
  return /^[45]/.test(status) || status === 'default';
}

/** The media types of the error responses of an operation. */
function errorMediaOf(operation) {
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
 * The codes to which a response narrows itself, and their vocabulary. JSON narrows `code` (the envelope), `error.code` (the AI
 * gateway) or `error` (RFC 6749) with an `enum` of its own; the whole vocabulary, which stands behind a reference, does not count.
 * Text and pages name theirs in `x-codes`; they speak the envelope's vocabulary.
 */
function narrowedCodes(media) {
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
function codeOfExample(name, example, isJson) {
  if (!isJson) return name;
  const value = example.node.value;
  return typeof value?.error === 'string' ? value.error : (value?.code ?? value?.error?.code);
}

/** A rule that looks at one operation after the other. */
function eachOperation(check) {
  return () => ({
    Root(root, ctx) {
      for (const operation of operationsOf(root, ctx)) {
        const report = (message, place = operation.place) => ctx.report({ message, location: place.location });
        check(operation, report, { root, ctx });
      }
    },
  });
}

const errorExamples = eachOperation((operation, report) => {
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

const errorCodesNarrowed = eachOperation((operation, report) => {
  for (const { status, type, media, isJson } of errorMediaOf(operation)) {
    if (narrowedCodes(media)?.codes.length) continue;
    const remedy = isJson
      ? 'Put `allOf` around the error schema and list the codes of this answer in an `enum`.'
      : 'List them in `x-codes` beside the schema.';
    report(`${operation.name} answers ${status} (${type}) without saying which codes it can carry. ${remedy}`, media);
  }
});

const operationPolicies = eachOperation((operation, report) => {
  for (const extension of ['x-scopes', 'x-rate-limits']) {
    if (!Array.isArray(operation.spec[extension])) {
      report(
        `${operation.name} does not say its ${extension}. Name them as a list; an empty list says that there are none.`,
      );
    }
  }
});

const operationIdVerb = eachOperation((operation, report) => {
  const id = operation.spec.operationId;
  if (id === undefined || operationIdPattern.test(id)) return;
  report(
    `The operationId "${id}" is no verb and noun of this contract, such as listObjects. The verbs stand in openapi/README.md.`,
  );
});

const queryParameters = eachOperation((operation, report) => {
  if (!/^\/v[12]\//.test(operation.path)) return;
  for (const [, parameter] of [operation.item, operation.place].flatMap(
    (one) => one.at('parameters')?.entries() ?? [],
  )) {
    if (parameter.node.in !== 'query') continue;
    const where = `The query parameter "${parameter.node.name}" of ${operation.name}`;
    if (parameter.node.allowReserved !== true) {
      report(`${where} lacks \`allowReserved: true\`: an id with an unencoded "/" would be refused.`, parameter);
    }
    if (!parameter.node['x-error-code']) {
      report(`${where} does not say what a wrong value answers. Name the code in \`x-error-code\`.`, parameter);
    }
  }
});

const securedResponses = eachOperation((operation, report, { root }) => {
  const security = operation.spec.security ?? root.security ?? [];
  if (security.length === 0) return;
  for (const status of ['401', '403', '429'].filter((one) => !operation.spec.responses?.[one])) {
    report(`${operation.name} takes a credential but does not declare ${status}. Declare it, or set \`security: []\`.`);
  }
});

const uploadTokens = eachOperation((operation, report, { root }) => {
  const security = operation.spec.security ?? root.security ?? [];
  const takesTokens = security.some((one) => 'uploadToken' in one);
  const use = operation.spec['x-upload-token'];
  if (takesTokens && !['spend', 'follow'].includes(use)) {
    report(
      `${operation.name} lets upload tokens in without saying what they do. Set \`x-upload-token\` to spend or follow.`,
    );
  }
  if (!takesTokens && use !== undefined) {
    report(
      `${operation.name} says what upload tokens do, but does not let them in. Add \`uploadToken\` to its \`security\`, or remove \`x-upload-token\`.`,
    );
  }
  if (takesTokens || security.length === 0) return;
  const codes = errorMediaOf(operation).flatMap(({ status, media }) =>
    status === '403' ? (narrowedCodes(media)?.codes ?? []) : [],
  );
  if (codes.some((code) => code.toUpperCase() === 'UPLOAD_TOKEN_NOT_ALLOWED')) return;
  report(
    `${operation.name} takes API keys alone but does not declare 403 UPLOAD_TOKEN_NOT_ALLOWED, which it answers to upload tokens.`,
  );
});

const operationExplained = eachOperation((operation, report) => {
  if (!operation.spec.description?.trim())
    report(`${operation.name} has no description. Say in plain words what it does.`);
});

const successExamples = eachOperation((operation, report) => {
  for (const [status, response] of responsesOf(operation).filter(([one]) => one.startsWith('2'))) {
    for (const [type, media] of response.at('content')?.entries() ?? []) {
      if (media.at('examples')?.entries().length) continue;
      report(
        `${operation.name} answers ${status} (${type}) without an example. Name at least one under \`examples\`.`,
        media,
      );
    }
  }
});

/** Each shape of error has a vocabulary of its own: `access_denied` of the AI gateway is another code than RFC 6749's. */
const oneStatusForACode = () => ({
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

export const rules = {
  'error-examples': errorExamples,
  'error-codes-narrowed': errorCodesNarrowed,
  'one-status-for-a-code': oneStatusForACode,
  'operation-policies': operationPolicies,
  'operation-id-verb': operationIdVerb,
  'query-parameters': queryParameters,
  'secured-responses': securedResponses,
  'upload-tokens': uploadTokens,
  'operation-explained': operationExplained,
  'success-examples': successExamples,
};
