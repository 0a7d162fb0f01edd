import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { folder } from './files.mjs';
import { schemaFile } from './schema-file.mjs';

/** Where the examples of a shape lie. Texts and pages speak the envelope's vocabulary. */
export const examplesOf = {
  envelope: 'examples/errors',
  ai: 'examples/ai-errors',
  messages: 'examples/ai-errors',
  'ai-by-client': 'examples/ai-errors',
  oauth: 'examples/oauth-errors',
  git: 'examples/git-replies',
  page: 'examples/page-errors',
  text: 'examples/text-errors',
};

/** What a response says of its status, where the operation has no words of its own. */
const descriptions = {
  400: 'The request is refused; `code` says why.',
  401: 'The credential is missing or not valid, or the account may not do this.',
  403: 'The credential or the plan does not reach this.',
  404: 'It is not there.',
  409: 'It conflicts with what is there.',
  410: 'It is over.',
  412: 'A condition of the request does not hold.',
  413: 'It is too large.',
  415: 'The content has a type that is not taken here.',
  416: 'The range lies outside of the file.',
  422: 'The file cannot be processed.',
  423: 'Another request has it at the moment.',
  429: 'Too much at once. `Retry-After` says when to try again.',
  460: 'The bytes have another checksum than announced.',
  500: 'A fault of the server; nothing was changed.',
  503: 'The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.',
  507: 'The disk of the server is nearly full; nothing was read or stored.',
};

export function descriptionOf(shape, status) {
  const description = descriptions[status];
  if (!description) throw new Error(`No description for the status ${status}: add one to openapi/expand/refusals.mjs.`);
  return shape === 'oauth' ? description.replace('`code`', '`error`') : description;
}

/** The HTTP status of a code: `x-status` of its example. */
export function statusOf(shape, code) {
  const vocabulary = shape === 'page' || shape === 'text' ? 'envelope' : shape;
  const places = [...new Set([vocabulary, 'envelope', 'text'])].map((one) => `${examplesOf[one]}/${code}.yaml`);
  const found = places.find((path) => existsSync(join(folder, path)));
  const status = found && parse(readFileSync(join(folder, found), 'utf8'))['x-status'];
  if (!status) throw new Error(`The code ${code} has no status: write openapi/${places[0]} with its \`x-status\`.`);
  return status;
}

/**
 * When a request that got a code may be sent again: the usual seconds of `Retry-After`, and whether clients are told not
 * to try by themselves. Undefined for a code that comes without `Retry-After`. Codes of one name are alike here, in whatever
 * vocabulary they are.
 */
export function retryOf(code) {
  const paths = [...new Set(Object.values(examplesOf))].map((one) => join(folder, `${one}/${code}.yaml`));
  const found = paths.filter((path) => existsSync(path)).map((path) => parse(readFileSync(path, 'utf8')));
  const timed = found.find((example) => example['x-retry-after'] !== undefined);
  if (!timed && found.some((example) => example['x-status'] === 429))
    throw new Error(`Every 429 says when to try again: give the example of ${code} its \`x-retry-after\`.`);
  return timed && { afterSeconds: timed['x-retry-after'], isUseless: timed['x-should-retry'] === false };
}

/** The media types of one error response, narrowed to its codes and with an example for each. */
export function mediaOf({ shape, tag, codes, from }, status) {
  // What a download refuses of its conditions and its range is one line of text at every door.
  if (codes.includes('PRECONDITION_FAILED') || status === '416')
    return { 'text/plain': words('text', tag, codes, from) };
  if (shape === 'text' || (shape === 'git' && status !== '429'))
    return { 'text/plain': words(shape, tag, codes, from) };
  const json = {
    'application/json': {
      schema: narrowed(shape, codes, from),
      examples:
        shape === 'messages'
          ? messagesExamples(codes, Number(status))
          : examples(['ai', 'ai-by-client', 'oauth'].includes(shape) ? shape : 'envelope', tag, codes, from),
    },
  };
  return shape === 'page' ? { ...json, 'text/html': words(shape, tag, codes, from) } : json;
}

/** The errors of the AI gateway in the form of messages. */
function messagesExamples(codes, status) {
  const type = messagesTypeOf(status);
  return Object.fromEntries(
    codes.map((code) => {
      const { summary, value } = parse(readFileSync(join(folder, `${examplesOf.ai}/${code}.yaml`), 'utf8'));
      return [code, { summary, value: { type: 'error', error: { type, message: value.error.message, code } } }];
    }),
  );
}

function messagesTypeOf(status) {
  const { properties } = parse(readFileSync(join(folder, schemaFile('MessagesError')), 'utf8'));
  const { enum: types, 'x-values-of-statuses': ofStatuses } = properties.error.properties.type;
  return ofStatuses[status] ?? types[0];
}

function words(shape, tag, codes, from) {
  return { schema: { type: 'string' }, 'x-codes': codes, examples: examples(shape, tag, codes, from) };
}

/** An area whose pages have words of their own keeps them in a folder named as its tag. */
function examples(shape, tag, codes, from) {
  const path = (code) => {
    const own = `${examplesOf[shape]}/${tag}/${code}.yaml`;
    return existsSync(join(folder, own)) ? own : `${examplesOf[shape]}/${code}.yaml`;
  };
  return Object.fromEntries(codes.map((code) => [code, from(path(code))]));
}

function narrowed(shape, codes, from) {
  const error = (schema, properties) => ({ allOf: [from(schemaFile(schema)), properties] });
  // The piece describes only a part of the body; Redocly checks examples with unknown properties refused.
  const withCodes = {
    type: 'object',
    properties: { error: { type: 'object', unevaluatedProperties: true, properties: { code: { enum: codes } } } },
  };
  switch (shape) {
    case 'ai':
      return error('ChatError', withCodes);
    case 'messages':
      return error('MessagesError', withCodes);
    case 'ai-by-client':
      return error('AiError', withCodes);
    case 'oauth':
      return error('OAuthError', { type: 'object', properties: { error: { enum: codes } } });
    default:
      return error('Error', { type: 'object', properties: { code: { enum: codes } } });
  }
}
