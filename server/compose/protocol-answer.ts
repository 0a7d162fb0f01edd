import type { DoorName } from '#server/config/door-names.ts';
import type { ProtocolAnswer, ProtocolError } from '#server/http/protocol-errors.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { errorForms } from '#server/feature-parts.ts';
import type { ErrorForm } from '#server/handlers/error-form.ts';
import { hasCode, meaningOf } from '#server/pipeline/error-response.ts';
import type { Served } from './served.ts';

const codes = {
  malformed: 'MALFORMED_REQUEST',
  'headers-too-large': 'HEADERS_TOO_LARGE',
  timeout: 'REQUEST_TIMEOUT',
} as const;

const json = 'application/json; charset=utf-8';

/**
 * Returns the response to bytes that never became a request. Its shape depends on the port and the target:
 * - That of a feature on a port that only its own door uses, such as XML.
 * - That of a feature below its path, if its format has the code.
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
  const form = doors.includes('api') ? formBelow(target) : undefined;
  if (form && hasCode(form.shape, code)) {
    const meaning = meaningOf(form.shape, code);
    const body = form.bodyOf(new Refusal(code), meaning, {});
    return typeof body === 'string'
      ? { status: meaning.status, contentType: 'text/plain; charset=utf-8', body }
      : { status: meaning.status, contentType: json, body: JSON.stringify(body) };
  }
  const { status, message } = meaningOf('envelope', code);
  return {
    status,
    contentType: json,
    body: JSON.stringify({ status: 'error', code, message }),
  };
}

/** Returns the format of the path that a target names. It is not checked, so it may be in any case. */
function formBelow(target: string): ErrorForm | undefined {
  const path = target.toLowerCase().replace(/^https?:\/\/[^/]*/, '');
  return errorForms.find((form) => form.path !== undefined && path.startsWith(`${form.path}/`));
}
