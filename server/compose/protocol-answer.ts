import type { DoorName } from '#server/config/door-names.ts';
import type { ProtocolAnswer, ProtocolError } from '#server/http/protocol-errors.ts';
import { meaningOf } from '#server/pipeline/error-response.ts';
import type { Served } from './served.ts';

const codes = {
  malformed: 'MALFORMED_REQUEST',
  'headers-too-large': 'HEADERS_TOO_LARGE',
  timeout: 'REQUEST_TIMEOUT',
} as const;

/**
 * Returns the response to bytes that never became a request. Its shape depends on the port and the target:
 * - That of a feature on a port that only its own door uses, such as XML.
 * - The git webhook's text, if its address was the target.
 * - The envelope everywhere else.
 */
export function protocolAnswer(
  doors: readonly DoorName[],
  { fault, requestId, target = '' }: ProtocolError,
  own: Served['protocolAnswers'] = {},
): ProtocolAnswer {
  const [ownAnswer, ...others] = new Set(doors.map((door) => own[door]));
  if (ownAnswer && others.length === 0) return ownAnswer(fault, requestId);
  const code = codes[fault];
  // A head that does not come in time has no target yet.
  const isGit = fault !== 'timeout' && doors.includes('api') && /^(https?:\/\/[^/]*)?\/v2\/git\//i.test(target);
  const { status, message } = meaningOf(isGit ? 'git' : 'envelope', code);
  if (isGit) return { status, contentType: 'text/plain; charset=utf-8', body: message };
  return {
    status,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ status: 'error', code, message }),
  };
}
