import type { Deployment } from '#dist/modules/client/index.js';

import { messages } from '../../app/messages.ts';

const tones: Readonly<Partial<Record<Deployment['state'], string>>> = { success: 'good', error: 'bad' };

export function DeployState({ deploy: { state, cancel_requested: isStopping } }: { readonly deploy: Deployment }) {
  const { states, stopping } = messages().deploys;
  return (
    <span class={`badge ${tones[state] ?? ''}`}>{isStopping && state === 'running' ? stopping : states[state]}</span>
  );
}

/** Whether a deploy has not ended. */
export function isOpen({ state }: Pick<Deployment, 'state'>): boolean {
  return state === 'pending' || state === 'running';
}
