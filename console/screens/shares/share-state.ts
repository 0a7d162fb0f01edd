import type { Share } from '#dist/modules/client/index.js';

type ShareState = 'active' | 'used' | 'ended';

/** Returns whether a link still works. The list keeps used up links until they expire. */
export function stateOf({ remaining_downloads: left, expires_at: end }: Share, nowMs = Date.now()): ShareState {
  if (Date.parse(end) <= nowMs) return 'ended';
  return left === 0 ? 'used' : 'active';
}
