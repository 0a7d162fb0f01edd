import { LRUCache } from 'lru-cache';

import type { CurrentDeployment, DeploymentCache } from '../../current-deployment.ts';

/** Current deployments in the memory of one process. The least recently used ones are dropped first. */
export class MemoryDeploymentCache implements DeploymentCache {
  readonly #cached = new LRUCache<string, CurrentDeployment>({ max: 10_000 });

  get(key: string): CurrentDeployment | undefined {
    return this.#cached.get(key);
  }

  set(key: string, deployment: CurrentDeployment): void {
    this.#cached.set(key, deployment);
  }
}
