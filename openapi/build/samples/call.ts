import type { Operation } from '../../codegen/document.ts';
import type { SampleRequest } from '../sample-request.ts';

/** What a printer of samples needs to know of a request. */
export interface Call extends SampleRequest {
  readonly operation: Operation;
  /** The address of the operation's host: `http://localhost:7400`. */
  readonly address: string;
  /** Stands for the credential: {@link keyPlaceholder} or {@link operatorKeyPlaceholder}. */
  readonly placeholder: string;
  /** Whether a success is JSON. */
  readonly isJsonResponse: boolean;
  /** The status of a success that is a redirect, with a cookie that programs must read themselves. */
  readonly redirectStatus?: number;
}

/** Stands for the reader's key in every sample. A page replaces it when the reader enters one. */
export const keyPlaceholder = 'YOUR_KEY';

/** Stands for a key of the operator's door. No page takes one. */
export const operatorKeyPlaceholder = 'YOUR_OPERATOR_KEY';

/** The files that samples send. */
export const sentFile = 'picture.png';
export const sentPart = 'part.bin';

/** Indents every line but the first. */
export function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}

/** Prints JSON on one line if it is short. */
export function json(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length <= 60 ? line : JSON.stringify(value, null, 2);
}
