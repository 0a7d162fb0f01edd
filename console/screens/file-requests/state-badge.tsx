import type { FileRequest } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';
import { shownState } from './request-state.ts';

export function StateBadge({ request }: { readonly request: FileRequest }) {
  const state = shownState(request);
  return <span class={`badge ${state === 'open' ? 'good' : ''}`}>{messages().fileRequests.states[state]}</span>;
}
