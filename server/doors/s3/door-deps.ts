import type { Caller } from '#server/domain/access/caller.ts';
import type { DoorDeps } from '#server/pipeline/listener.ts';
import type { RequestLimits } from '#server/pipeline/limits.ts';
import type { S3Stores } from './context.ts';

/** What the gateway stands on. */
export interface S3DoorDeps extends DoorDeps {
  readonly stores: S3Stores;
  readonly limits: RequestLimits;
  /** Called for each authenticated request; must not throw. */
  noteUse(caller: Caller): void;
}
