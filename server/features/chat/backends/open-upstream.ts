import type { ConfiguredUpstream } from '../config/upstream.ts';
import { AdaptingUpstream } from './adapting-upstream.ts';
import type { RejectionOptions } from './remembered-rejections.ts';
import { openServer, type Upstream, type UpstreamOptions } from './upstream.ts';

export type OpenUpstreamOptions = UpstreamOptions & RejectionOptions;

/** Opens a pool of connections to a server. What it rejects is left out of its requests. */
export function openUpstream(configured: ConfiguredUpstream, options: OpenUpstreamOptions): Upstream {
  const { asksByFunction } = configured;
  return new AdaptingUpstream(openServer(configured, options), { ...options, asksByFunction });
}
