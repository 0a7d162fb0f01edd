import type { FuzzRequest } from './draft.ts';
import type { RawAnswer } from './send/response-reader.ts';

/** A request and its response. */
export interface Exchanged {
  readonly request: FuzzRequest;
  readonly answer: RawAnswer;
  /** The body as JSON, if it is JSON. */
  readonly json: any;
}
