import { LRUCache } from 'lru-cache';

import { atMost } from '#server/domain/at-most.ts';
import type { DeploymentCache, Revised } from '../../current-deployment.ts';

/** Current deployments in the memory of one process. The least recently used ones are dropped first. */
export class MemoryDeploymentCache extends LRUCache<string, Revised> implements DeploymentCache {
  constructor() {
    super(atMost(10_000));
  }
}
