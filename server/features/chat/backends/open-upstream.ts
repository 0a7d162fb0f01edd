import type { ConfiguredUpstream } from '../config/upstream.ts';
import { AdaptingUpstream } from './adapting-upstream.ts';
import type { RejectedField } from './rejected-field.ts';
import { openServer, type Upstream, type UpstreamOptions } from './upstream.ts';

export interface OpenUpstreamOptions extends UpstreamOptions {
  /** See `AdaptingOptions`. */
  readonly onRejected?: (field: RejectedField) => void;
  /** Default: the time since the start of the process. */
  readonly nowMs?: () => number;
}

/** Opens a pool of connections to a server. What it rejects is left out of its requests. */
export function openUpstream(configured: ConfiguredUpstream, options: OpenUpstreamOptions): Upstream {
  const { asksByFunction } = configured;
  const { nowMs, onRejected } = options;
  return new AdaptingUpstream(openServer(configured, options), { asksByFunction, nowMs, onRejected });
}
