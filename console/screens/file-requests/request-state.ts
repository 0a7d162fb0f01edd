import type { FileRequest } from '#dist/modules/client/index.js';

type ShownState = 'open' | 'full' | 'closed' | 'expired';

/** Returns the state that people see. A request whose limit is reached is `open` in the contract. */
export function shownState({ state, remaining_files: files, remaining_bytes: bytes }: FileRequest): ShownState {
  return state === 'open' && (files === 0 || bytes === 0) ? 'full' : state;
}
