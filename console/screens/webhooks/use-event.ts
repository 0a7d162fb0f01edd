import { getEvent, type Event } from '#dist/modules/client/index.js';

import { ApiError } from '../../app/api-error.ts';
import { ask } from '../../app/api.ts';
import { hasScope } from '../../app/session-state.ts';
import { useResource, type Resource } from '../../app/use-resource.ts';

/** Reads an event by its id. Null if it is no longer kept, or if the key may not see it. */
export function useEvent(id: string): Resource<Event | null> {
  const canRead = hasScope('blob:read', 'account:read');
  return useResource(async (signal) => (canRead ? await read(id, signal) : null), [id, canRead]);
}

async function read(id: string, signal: AbortSignal): Promise<Event | null> {
  try {
    return await ask(getEvent({ path: { event_id: id }, signal }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'EVENT_NOT_FOUND') return null;
    throw error;
  }
}
