import { errorMediaOf, narrowedCodes } from './error-media.mjs';
import { eachOperation, responsesOf } from './place.mjs';

const operationIdPattern =
  /^(upload|list|delete|update|copy|get|start|put|complete|abort|create|replace|revoke|regenerate|open|submit|set|receive|request|poll|show|suspend|resume|restore|run|confirm|verify|count)[A-Z][A-Za-z0-9]*$/;

export const operationPolicies = eachOperation((operation, report) => {
  for (const extension of ['x-scopes', 'x-rate-limits']) {
    if (!Array.isArray(operation.spec[extension])) {
      report(
        `${operation.name} does not say its ${extension}. Name them as a list; an empty list says that there are none.`,
      );
    }
  }
});

export const operationIdVerb = eachOperation((operation, report) => {
  const id = operation.spec.operationId;
  if (id === undefined || operationIdPattern.test(id)) return;
  report(
    `The operationId "${id}" is no verb and noun of this contract, such as listObjects. The verbs stand in openapi/README.md.`,
  );
});

export const queryParameters = eachOperation((operation, report) => {
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

export const securedResponses = eachOperation((operation, report, { root }) => {
  const security = operation.spec.security ?? root.security ?? [];
  if (security.length === 0) return;
  // No plan, scope or suspension stands between an operator and the operator's door.
  const statuses = security.some((one) => 'operatorKey' in one) ? ['401', '429'] : ['401', '403', '429'];
  for (const status of statuses.filter((one) => !operation.spec.responses?.[one])) {
    report(`${operation.name} takes a credential but does not declare ${status}. Declare it, or set \`security: []\`.`);
  }
});

export const uploadTokens = eachOperation((operation, report, { root }) => {
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
  if (takesTokens || security.length === 0 || security.some((one) => 'operatorKey' in one)) return;
  const codes = errorMediaOf(operation).flatMap(({ status, media }) =>
    status === '403' ? (narrowedCodes(media)?.codes ?? []) : [],
  );
  if (codes.some((code) => code.toUpperCase() === 'UPLOAD_TOKEN_NOT_ALLOWED')) return;
  report(
    `${operation.name} takes API keys alone but does not declare 403 UPLOAD_TOKEN_NOT_ALLOWED, which it answers to upload tokens.`,
  );
});

/** The forms of a body whose fields the server checks. */
const fieldForms = ['application/json', 'application/x-www-form-urlencoded'];

export const unknownFields = eachOperation((operation, report) => {
  const { 'x-raw-body': isRaw, 'x-unknown-fields': said } = operation.spec;
  const content = operation.place.at('requestBody')?.at('content');
  const forms = isRaw ? [] : fieldForms.flatMap((form) => content?.at(form) ?? []);
  if (forms.length === 0 && said !== undefined)
    report(`${operation.name} sets \`x-unknown-fields\`, but has no body whose fields are checked. Remove it.`);
  if (forms.length > 0 && !['refused', 'ignored'].includes(said))
    report(
      `${operation.name} does not say what an unknown field of its body does. Set \`x-unknown-fields\` to refused if the body makes or changes what lets somebody in (openapi/README.md), and to ignored otherwise.`,
    );
  if (said !== 'refused') return;
  for (const schema of forms.flatMap((form) => form.at('schema') ?? [])) {
    const parts = [schema, ...(schema.at('allOf')?.entries() ?? []).map(([, part]) => part)];
    if (parts.some(({ node }) => Array.isArray(node['x-answered-as']))) continue;
    report(
      `${operation.name} refuses unknown fields, but its body does not say which responses show the same fields. Name their schemas in \`x-answered-as\` of the body's schema; an empty list says that there are none.`,
    );
  }
});

export const operationExplained = eachOperation((operation, report) => {
  if (!operation.spec.description?.trim())
    report(`${operation.name} has no description. Say in plain words what it does.`);
});

export const successExamples = eachOperation((operation, report) => {
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
