import { takesSessions } from './sessions.mjs';

/**
 * The codes that an operation can answer, in the order in which the contract shows them: those of its parameters and
 * fields, its own (`responses.x-refusals`), and those that follow from its security, scopes, plan, limits, body and
 * need of disk space.
 *
 * @param follow resolves a node from the file that it stands in: `{ node, file }`
 */
export function derivedCodes(operation, shape, follow) {
  const own = operation.responses['x-refusals'] ?? [];
  const codes = [...fieldCodes(operation, follow), ...own, ...standardCodes(operation)];
  const spoken = ['ai', 'ai-by-client', 'messages', 'oauth'].includes(shape)
    ? codes.map((code) => code.toLowerCase())
    : codes;
  return [...new Set(spoken)];
}

function fieldCodes({ parameters = [], requestBody }, follow) {
  const media = Object.values(requestBody ? (follow(requestBody).node.content ?? {}) : {});
  return [
    ...parameters.flatMap((parameter) => codesIn(follow(parameter).node['x-error-code'])),
    ...media.flatMap(({ schema }) => schemaCodes(schema, undefined, follow)),
  ];
}

/** A code, or the codes of a map from keyword to code. */
function codesIn(code) {
  if (code === undefined) return [];
  return typeof code === 'string' ? [code] : Object.values(code);
}

/** A field that refers to a schema names its code beside the reference. */
function schemaCodes(schema, file, follow) {
  if (!schema) return [];
  const { node, file: at } = follow(schema, file);
  const beside = node === schema ? [] : codesIn(schema['x-error-code']);
  const inside = [
    ...Object.values(node.properties ?? {}),
    node.items,
    ...(node.allOf ?? []),
    ...(node.oneOf ?? []),
    ...(node.anyOf ?? []),
  ];
  return [...beside, ...codesIn(node['x-error-code']), ...inside.flatMap((one) => schemaCodes(one, at, follow))];
}

/** The tags of operations that the operator's door serves. */
const atOperatorsDoor = ['operator', 'operations'];

/** What follows from the policies of an operation. @see openapi/README.md */
function standardCodes(operation) {
  const {
    security,
    tags = [],
    parameters = [],
    requestBody,
    'x-plan': plan,
    'x-concurrency': concurrency,
    'x-scopes': scopes = [],
    'x-rate-limits': limits = [],
    'x-needs-disk-space': needsDiskSpace,
  } = operation;
  const isSecured = security === undefined || security.length > 0;
  const takesTokens = security?.some((one) => one.uploadToken) ?? false;
  const isOfAccount = isSecured && !security?.some((one) => one.operatorKey);
  const bodyTypes = Object.keys(requestBody?.content ?? {});
  const isJson = bodyTypes.includes('application/json') && !operation['x-raw-body'];
  const isForm = bodyTypes.includes('application/x-www-form-urlencoded');
  // The body, or a part of it, is in memory until the response. Bytes of files are not.
  const isHeld = isJson || isForm || operation['x-form-parts'] === true;
  const names = parameters.map(({ $ref = '' }) => $ref);
  return [
    ...(needsDiskSpace ? ['INSUFFICIENT_STORAGE'] : []),
    ...(atOperatorsDoor.some((tag) => tags.includes(tag)) ? ['HOST_NOT_ALLOWED'] : []),
    ...(isJson && operation['x-error-shape'] !== 'oauth' ? ['INVALID_BODY'] : []),
    ...(isSecured ? ['ACCESS_DENIED'] : []),
    ...(isOfAccount ? ['ACCOUNT_SUSPENDED'] : []),
    ...(takesSessions(operation) ? ['CSRF_TOKEN_INVALID'] : []),
    ...(plan ? [plan.code] : []),
    ...(operation['x-upload-token'] === 'spend' ? ['UPLOAD_TOKEN_USED'] : []),
    ...(scopes.length > 0 ? ['MISSING_SCOPE'] : []),
    ...(takesTokens ? ['ORIGIN_NOT_ALLOWED'] : []),
    ...(isOfAccount && !takesTokens ? ['UPLOAD_TOKEN_NOT_ALLOWED'] : []),
    ...(names.some((name) => name.endsWith('/if-match.yaml')) ? ['PRECONDITION_FAILED'] : []),
    ...(names.some((name) => name.endsWith('/write-if-match.yaml')) ? ['CONDITION_NOT_MET'] : []),
    ...(isJson || isForm ? ['BODY_TOO_LARGE'] : []),
    ...(names.some((name) => name.endsWith('/range.yaml')) ? ['RANGE_NOT_SATISFIABLE'] : []),
    // What an operation counts itself has a code of its own.
    ...(isSecured || limits.some(({ on }) => on !== 'operation') ? ['RATE_LIMITED'] : []),
    ...(concurrency ? [concurrency.code] : []),
    // Without its database, a server cannot tell who asks.
    ...(isSecured ? ['STORAGE_UNAVAILABLE'] : []),
    ...(isHeld ? ['SERVER_OVERLOADED'] : []),
    'INTERNAL_SERVER_ERROR',
  ];
}
