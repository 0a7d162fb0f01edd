import { basename, dirname, join } from 'node:path';

import { derivedCodes } from './derived-codes.mjs';
import { folder, relative } from './files.mjs';
import { expandPayloads } from './payloads.mjs';
import { descriptionOf, mediaOf, retryOf, statusOf } from './refusals.mjs';
import { admitSessions } from './sessions.mjs';
import { refuseUnknownFields } from './unknown-fields.mjs';

/**
 * Writes out the responses of every operation in full. A Redocly preprocessor: it runs before lint, bundle and docs, so
 * the bundle in `generated/openapi.json` is plain OpenAPI.
 *
 * It puts payloads into the envelope, and adds an error response for each status that the operation can refuse with,
 * and the headers that every response has. An operation lists only the codes that do not follow from the rest of it, in
 * `responses.x-refusals`. What a response says for itself (a description, a header) is kept.
 */
export function expandResponses() {
  return {
    Operation: {
      enter(operation, ctx) {
        const { responses } = operation;
        const file = ctx.location.source.absoluteRef;
        // The receiver of a webhook answers, and not this server.
        if (!responses || dirname(file) === join(folder, 'webhooks')) return;
        const from = (path) => ({ $ref: relative(file, `${folder}/${path}`) });
        const follow = (node, base = file) => {
          let at = { node, file: base };
          while (typeof at.node?.$ref === 'string') {
            const { node: target, location } = ctx.resolve(at.node, at.file);
            at = { node: target, file: location?.source.absoluteRef };
          }
          return at;
        };
        admitSessions(operation, ctx.key);
        refuseUnknownFields(operation, follow);
        expandPayloads(operation, basename(dirname(file)), from);
        const shape = operation['x-error-shape'] ?? 'envelope';
        const refused = byStatus(derivedCodes(operation, shape, follow), shape);
        for (const [status, codes] of refused) {
          const declared = responses[status] ?? {};
          if (declared.$ref) continue;
          responses[status] = {
            ...declared,
            description: declared.description ?? descriptionOf(shape, status),
            content: mediaOf({ shape, tag: operation.tags[0], codes, from }, status),
          };
        }
        delete responses['x-refusals'];
        addHeaders(operation, shape, refused, from);
      },
    },
  };
}

/** Codes under their status, as text, in the order of their first code. */
function byStatus(codes, shape) {
  const found = new Map();
  for (const code of codes) {
    const status = String(statusOf(shape, code));
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return found;
}

/** Every response carries a request id; those of a limited operation say what is left, once it was counted. */
function addHeaders(operation, shape, refused, from) {
  const { security, responses, 'x-rate-limits': limits = [] } = operation;
  const isSecured = security === undefined || security.length > 0;
  // The git webhook counts only what it deploys.
  const isLimited = (status) =>
    shape === 'git'
      ? status === '200' || status === '429'
      : (isSecured && status !== '401') || (!isSecured && limits.length > 0);
  for (const [status, response] of Object.entries(responses)) {
    if (response.$ref || !/^[0-9]{3}$/.test(status)) continue;
    const isRefusal = Number(status) >= 400;
    response.headers = {
      'X-Request-Id': from('headers/X-Request-Id.yaml'),
      ...(isLimited(status) && {
        RateLimit: from('headers/RateLimit.yaml'),
        'RateLimit-Policy': from('headers/RateLimit-Policy.yaml'),
      }),
      ...(isRefusal && { 'Cache-Control': from('headers/No-Store.yaml') }),
      // A status that only a success has, such as 503 of readiness, has no code.
      ...(refused.has(status) && { Link: from('headers/Link-Help.yaml') }),
      ...retryHeaders(refused.get(status) ?? [], from),
      ...response.headers,
    };
  }
}

/** What says when to try again comes with some codes, whatever their status is. */
function retryHeaders(codes, from) {
  const retries = codes.map((code) => retryOf(code));
  const timed = retries.filter(Boolean);
  const isAlways = timed.length === codes.length;
  return {
    ...(timed.length > 0 && { 'Retry-After': from(`headers/Retry-After${isAlways ? '' : '-Some'}.yaml`) }),
    ...(timed.some(({ isUseless }) => isUseless) && { 'X-Should-Retry': from('headers/X-Should-Retry.yaml') }),
  };
}
