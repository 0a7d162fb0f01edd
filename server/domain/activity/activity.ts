import type { ActivityType } from '#generated/vocabulary.ts';
import type { ObjectAddress } from '../object-id.ts';

export type { ActivityType };

/**
 * The kinds that most entries have. An index leads to the others.
 *
 * @see server/stores/sqlite/schema/activity.sql
 */
export const frequentTypes: readonly ActivityType[] = [
  'object.uploaded',
  'object.deleted',
  'object.updated',
  'object.copied',
  'object.restored',
  'object.purged',
  'chunked.started',
  'chunked.completed',
  'chunked.aborted',
];

/** The credential, or the part of the server, that did something. */
export type ActivityAuth = 'api_key' | 'upload_token' | 's3' | 'rule' | 'system';

/** Who did something, as the account sees it. */
export interface Actor {
  /** The client's address; null for the server itself. */
  readonly sourceIp: string | null;
  /** The client's `User-Agent`, unchanged; null without one. */
  readonly userAgent: string | null;
  readonly auth: ActivityAuth;
  /** The id of the API key: also of its sessions and upload tokens. Undefined without one. */
  readonly keyId?: string | undefined;
}

/** The server itself, and the operator at its command line. */
export const systemActor: Actor = { sourceIp: null, userAgent: null, auth: 'system' };

/** The server, because of a prefix rule. */
export const ruleActor: Actor = { sourceIp: null, userAgent: null, auth: 'rule' };

/** The record of one activity. */
export interface ActivityRecord {
  readonly accountId: string;
  readonly type: ActivityType;
  /** The file that it is about, under its id afterwards; null without a file. */
  readonly object: ObjectAddress | null;
  /** Details, with the names and values that clients see. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
}

/** An activity as it is stored. */
export interface ActivityEntry extends ActivityRecord {
  /** Grows within the account: the newest entry has the highest. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
