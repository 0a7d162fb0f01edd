import { policies, type OperationId } from '#generated/policies.ts';
import { Refusal } from '#server/domain/refusal.ts';

/**
 * Handlers for the operations of a tag that this version does not have yet: each refuses with NOT_IMPLEMENTED, or
 * with `not_implemented` where the AI gateway speaks.
 */
export function notImplemented<Handlers extends object>(tag: string): Handlers {
  const ids = (Object.keys(policies) as OperationId[]).filter((id) => policies[id].tag === tag);
  const refuse = async (): Promise<never> => {
    throw new Refusal('NOT_IMPLEMENTED');
  };
  return Object.fromEntries(ids.map((id) => [id, refuse])) as Handlers;
}
