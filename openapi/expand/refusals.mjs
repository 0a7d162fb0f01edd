import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { folder } from './files.mjs';

/** Where the examples of a shape lie. Texts and pages speak the envelope's vocabulary. */
const examplesOf = {
  envelope: 'examples/errors',
  ai: 'examples/ai-errors',
  messages: 'examples/ai-errors',
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

/** What a client does about a refusal of a status, after the words of its code. */
const remedies = {
  400: 'Correct the request and send it again.',
  401: 'Send a credential that is good for this.',
  403: 'Use a key, a token or a plan that reaches this.',
  404: 'Check the id or the address; the same request is refused again.',
  405: 'Use a method that `Allow` names.',
  408: 'Send the request again, without pauses.',
  409: 'Change the request or what is there, then send it again.',
  410: 'Ask for a new link.',
  412: 'Read the file again, then repeat the change.',
  413: 'Send less.',
  415: 'Send or use another type.',
  416: 'Ask for a range within the file.',
  422: 'Use another file.',
  423: 'Ask how far it is, then go on there.',
  429: 'Wait as long as `Retry-After` says, then send the request again.',
  431: 'Send fewer or shorter headers.',
  460: 'Send the bytes again.',
  500: 'Send the request again later; give the operator its `X-Request-Id` if that does not help.',
  503: 'Send the request again, after the seconds of `Retry-After` if it is there.',
  507: 'Send the request again once the operator has made room.',
};

/** A sentence that tells the reader to do something. */
const advice =
  /(?:^|[.;:] )(?:Ask|Change|Check|Choose|Complete|Delete|Leave|List|Load|Make|Move|Pin|Regenerate|Remove|Revoke|Send|Start|Try|Upgrade|Use|Wait)\b/i;

/**
 * What a code means and what to do about it: its status, the words that are answered, and a remedy where these have
 * none.
 */
export function meaningOf(shape, code) {
  const {
    summary,
    value,
    'x-status': status,
  } = parse(readFileSync(join(folder, `${examplesOf[shape]}/${code}.yaml`), 'utf8'));
  const message = value.message ?? value.error_description ?? value.error.message;
  // A code without a status stands in results of a batch alone.
  if (status === undefined) return `200, of one file: ${message}`;
  const condition = /[.;:] /.test(message) ? '' : `${summary}. `;
  const remedy = advice.test(message) ? '' : ` ${remedies[status]}`;
  if (!summary || remedy.endsWith('undefined'))
    throw new Error(`The code ${code} lacks a summary, or its status ${status} a remedy.`);
  return `${status}: ${condition}${message}${remedy}`;
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

/** The media types of one error response, narrowed to its codes and with an example for each. */
export function mediaOf(shape, tag, codes, from, status) {
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
          : examples(shape === 'ai' || shape === 'oauth' ? shape : 'envelope', tag, codes, from),
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
  const { properties } = parse(readFileSync(join(folder, 'schemas/MessagesError.yaml'), 'utf8'));
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
  const error = (schema, properties) => ({ allOf: [from(`schemas/${schema}.yaml`), properties] });
  switch (shape) {
    case 'ai':
    case 'messages':
      // The piece describes only a part of the body; Redocly checks examples with unknown properties refused.
      return error(shape === 'ai' ? 'ChatError' : 'MessagesError', {
        type: 'object',
        properties: { error: { type: 'object', unevaluatedProperties: true, properties: { code: { enum: codes } } } },
      });
    case 'oauth':
      return error('OAuthError', { type: 'object', properties: { error: { enum: codes } } });
    default:
      return error('Error', { type: 'object', properties: { code: { enum: codes } } });
  }
}
