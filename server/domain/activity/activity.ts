import type { ObjectAddress } from '../object-id.ts';

/** What can happen in an account. @see openapi/schemas/Activity.yaml */
export type ActivityType =
  | 'object.uploaded'
  | 'object.deleted'
  | 'object.updated'
  | 'object.copied'
  | 'chunked.started'
  | 'chunked.completed'
  | 'chunked.aborted'
  | 'share.created'
  | 'share.revoked'
  | 'key.created'
  | 'key.revoked'
  | 'rules.changed';

/** With which credential something was done, or by which part of the server. */
export type ActivityAuth = 'api_key' | 'upload_token' | 's3' | 'rule' | 'system';

/** Who does something, as the account is shown it. */
export interface Actor {
  /** The client's address; null for what the server does by itself. */
  readonly sourceIp: string | null;
  /** What the client calls itself, as it came; null when it does not. */
  readonly userAgent: string | null;
  readonly auth: ActivityAuth;
}

/** The server itself, and the operator at its command line. */
export const systemActor: Actor = { sourceIp: null, userAgent: null, auth: 'system' };

/** The server, because a prefix rule says so. */
export const ruleActor: Actor = { sourceIp: null, userAgent: null, auth: 'rule' };

/** What is recorded of one thing that happened. */
export interface ActivityRecord {
  readonly accountId: string;
  readonly type: ActivityType;
  /** The file that it is about, under the id that it has afterwards; null when it is about none. */
  readonly object: ObjectAddress | null;
  /** More, in the form and with the names that clients see. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
}

/** One thing that happened, as it is kept. */
export interface ActivityEntry extends ActivityRecord {
  /** Counts up within the account: the newest entry has the highest. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
