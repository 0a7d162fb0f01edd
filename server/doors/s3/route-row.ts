import type { S3Operation } from './context.ts';

/** What a key needs for an operation: one of the two scopes, or either. */
export type Needs = 'read' | 'write' | 'either';

/** An operation of the gateway and when a request means it. The first row that fits counts. */
export interface Route {
  /** As S3 calls it. */
  readonly name: string;
  readonly method: string;
  readonly on: 'service' | 'bucket' | 'object';
  /** Query parameters that must be there; a value must be that one. */
  readonly query?: Readonly<Record<string, string | true>>;
  /** A header that must be there. */
  readonly header?: string;
  readonly needs: Needs;
  /** Whether it brings bytes, of which an account may send so many at once. */
  readonly writesBytes?: true;
  /** Whether it begins what will bring bytes: on a full disk it is refused with them. */
  readonly beginsBytes?: true;
  readonly run: S3Operation;
}
