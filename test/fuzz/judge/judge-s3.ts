import { XMLValidator } from 'fast-xml-parser';

import { s3Meanings } from '#server/features/s3/error-meanings.ts';
import { textOf } from '#test/s3/exchange.ts';
import type { FuzzRequest } from '../draft.ts';
import type { RawAnswer } from '../send/response-reader.ts';

/** The contract does not describe the S3 protocol, so these are its own rules. */
export function s3Problems({ method }: FuzzRequest, { status, headers, body }: RawAnswer): string[] {
  const problems: string[] = [];
  // A preflight belongs to CORS.
  if (method === 'OPTIONS' && status === 204) return [];
  if (!headers['x-amz-request-id']) problems.push('x-amz-request-id is missing.');
  if (method === 'HEAD' || status === 204 || status === 304 || body.length === 0) return problems;
  const isXml = headers['content-type'] === 'application/xml';
  // A file may have any type.
  const isFile = 'accept-ranges' in headers;
  if (status < 400) return isXml && !isFile ? [...problems, ...xmlProblems(body)] : problems;
  if (!isXml) return [...problems, `The type of an error is ${headers['content-type']}.`];
  return [...problems, ...xmlProblems(body), ...errorProblems(status, body.toString())];
}

function xmlProblems(body: Buffer): string[] {
  const valid = XMLValidator.validate(body.toString());
  return valid === true ? [] : [`Not XML: ${valid.err.msg}. ${body.toString().slice(0, 200)}`];
}

function errorProblems(status: number, text: string): string[] {
  const code = textOf(text, 'Code') ?? '';
  const meaning = (s3Meanings as Readonly<Record<string, readonly [number, string]>>)[code];
  if (!meaning) return [`The code ${JSON.stringify(code)} is in no table.`];
  const problems = meaning[0] === status ? [] : [`${code} has the status ${meaning[0]}, but was answered ${status}.`];
  return textOf(text, 'Message') ? problems : [...problems, 'The error has no message.'];
}
