import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { folder } from './files.mjs';
import { examplesOf, retryOf } from './refusals.mjs';

const waiting = 'Wait as long as `Retry-After` says, then send the request again.';

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
  429: waiting,
  431: 'Send fewer or shorter headers.',
  460: 'Send the bytes again.',
  500: 'Send the request again later; give the operator its `X-Request-Id` if that does not help.',
  503: 'Send the request again later.',
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
  const retry = retryOf(code);
  const remedy = advice.test(message) ? '' : ` ${retry ? waiting : remedies[status]}`;
  if (!summary || remedy.endsWith('undefined'))
    throw new Error(`The code ${code} lacks a summary, or its status ${status} a remedy.`);
  const header = !retry || /Retry-After/.test(message + remedy) ? '' : ' `Retry-After` says how long to wait.';
  const useless = retry?.isUseless ? ' `X-Should-Retry: false` tells clients not to try again by themselves.' : '';
  return `${status}: ${condition}${message}${remedy}${header}${useless}`;
}
