import { hash } from 'node:crypto';

import type { ConfiguredUpstream } from '../config/upstream.ts';
import { AdaptingUpstream } from './adapting-upstream.ts';
import type { RejectionOptions } from './remembered-rejections.ts';
import { markingUpstream } from './marking-upstream.ts';
import { openServer, type Upstream, type UpstreamOptions } from './upstream.ts';

export type OpenUpstreamOptions = UpstreamOptions &
  RejectionOptions & {
    /** Returns the signatures of a text that clients send back. The first is the current one. */
    readonly signaturesOf?: (text: string) => readonly string[];
  };

/**
 * Opens a pool of connections to a server. What it rejects is left out of its requests, and what other servers have
 * sealed.
 */
export function openUpstream(configured: ConfiguredUpstream, options: OpenUpstreamOptions): Upstream {
  const { url, model, asksByFunction } = configured;
  // Clients see the mark, but nobody can find out the address or the model by it.
  const { signaturesOf = (text) => [text] } = options;
  const [first, ...more] = signaturesOf(JSON.stringify([url, model])).map(markOf);
  const marking = markingUpstream(openServer(configured, options), [first!, ...more]);
  return new AdaptingUpstream(marking, { ...options, asksByFunction });
}

function markOf(signature: string): string {
  return `cubby1.${hash('sha256', signature, 'base64url').slice(0, 12)}.`;
}
