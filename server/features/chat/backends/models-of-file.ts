import type { ConfiguredModel, ConfiguredModels } from '../config/models.ts';
import { identityOf, type SharingUpstream } from '../config/model-upstreams.ts';
import { circuitBreaker, type CircuitBreaker } from '#server/circuit-breaker.ts';
import type { ChatModels, NamedModel } from '../models/chat-models.ts';
import { defaultModel } from '../models/default-model.ts';
import { pricesOfTokens } from '../prices/model-prices.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { RetirableUpstream } from './retirable-upstream.ts';
import { UpstreamChain, type AttemptReport } from './upstream-chain.ts';
import { weightedOrder } from './weighted-order.ts';
import type { Upstream } from './upstream.ts';

/** An attempt for a model of the file. */
interface ModelAttempt extends AttemptReport {
  /** The public name of the model. */
  readonly model: string;
}

interface ModelsOptions {
  readonly open: (upstream: SharingUpstream) => Upstream;
  readonly deadlineMs: number;
  readonly onAttempt: (attempt: ModelAttempt) => void;
  /** Called when no server has a name any more. */
  readonly onForgotten: (upstream: string) => void;
}

/** A server, which all models with the same address, model and key share. */
interface Server {
  /** The newest name. */
  name: string;
  readonly upstream: RetirableUpstream;
  readonly breaker: CircuitBreaker;
}

/** The models that new requests get. */
interface InForce {
  readonly names: readonly string[];
  readonly byName: ReadonlyMap<string, NamedModel>;
  /** Undefined: unknown names are rejected. */
  readonly forUnknown: NamedModel | undefined;
  readonly standard: NamedModel;
}

/** The models of the operator's file. A new file takes their place while requests run. */
export class ModelsOfFile implements ChatModels {
  readonly #options: ModelsOptions;
  /** By their identity, also those that are about to close. */
  readonly #servers = new Map<string, Server>();
  #inForce: InForce;

  constructor(models: ConfiguredModels, options: ModelsOptions) {
    this.#options = options;
    this.#inForce = this.#opened(models);
  }

  names(): readonly string[] {
    return this.#inForce.names;
  }

  find(name: string): string | undefined {
    return this.#inForce.names.includes(name) ? name : this.#inForce.byName.get(name)?.name;
  }

  choose(name: string | null | undefined): NamedModel {
    const { byName, forUnknown, standard } = this.#inForce;
    if (!name) return standard;
    const found = byName.get(name) ?? forUnknown;
    if (!found) throw new Refusal('model_not_found');
    return found;
  }

  /**
   * Replaces all models. Requests that began earlier end on the servers that they were given. Servers of both versions
   * keep their connections and their breakers. The others close after their last attempt.
   */
  replace(models: ConfiguredModels): void {
    const before = [...this.#servers.values()].map(({ name }) => name);
    this.#inForce = this.#opened(models);
    const kept = new Set(models.models.flatMap(({ upstreams }) => upstreams.map(identityOf)));
    // Renamed servers keep running, and count under their new names.
    for (const name of before) this.#forget(name);
    for (const [identity, { upstream }] of this.#servers) if (!kept.has(identity)) upstream.retire();
  }

  /** Returns whether each server gets requests, once for each name. */
  health(): ReadonlyArray<{ readonly upstream: string; readonly isUp: boolean }> {
    const byName = new Map([...this.#servers.values()].map(({ name, breaker }) => [name, breaker.isAvailable]));
    return [...byName].map(([upstream, isUp]) => ({ upstream, isUp }));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(({ upstream }) => upstream.close()));
  }

  #opened({ models, defaultName, rejectsUnknown }: ConfiguredModels): InForce {
    const byName = new Map<string, NamedModel>();
    for (const model of models) {
      const { name } = model;
      const prices = model.prices && pricesOfTokens(model.prices);
      const named = { name, model: this.#chainOf(model), origin: originOf(model), prices };
      for (const known of [name, ...model.aliases]) byName.set(known, named);
    }
    const standard = byName.get(defaultName)!;
    byName.set(defaultModel, standard);
    const others = models.map(({ name }) => name).filter((name) => name !== defaultModel);
    return { names: [defaultModel, ...others], byName, standard, forUnknown: rejectsUnknown ? undefined : standard };
  }

  #chainOf({ name: model, upstreams }: ConfiguredModel): UpstreamChain {
    const { deadlineMs, onAttempt } = this.#options;
    return new UpstreamChain(
      upstreams.map((upstream) => this.#serverOf(upstream)),
      {
        deadlineMs,
        order: (random) => weightedOrder(upstreams, random),
        onAttempt: (report) => onAttempt({ model, ...report }),
      },
    );
  }

  #serverOf(configured: SharingUpstream): Server {
    const identity = identityOf(configured);
    const known = this.#servers.get(identity);
    if (known) {
      known.name = configured.name;
      known.upstream.revive();
      return known;
    }
    const server: Server = {
      name: configured.name,
      upstream: new RetirableUpstream(
        () => this.#options.open(configured),
        () => this.#closed(identity),
      ),
      breaker: circuitBreaker({ nowMs: () => performance.now() }),
    };
    this.#servers.set(identity, server);
    return server;
  }

  #closed(identity: string): void {
    const server = this.#servers.get(identity);
    this.#servers.delete(identity);
    if (server) this.#forget(server.name);
  }

  #forget(name: string): void {
    if (![...this.#servers.values()].some((server) => server.name === name)) this.#options.onForgotten(name);
  }
}

/** A server's key, weight and order say nothing about its answers. */
function originOf({ upstreams }: ConfiguredModel): string {
  return JSON.stringify(upstreams.map(({ url, model }) => JSON.stringify([url, model])).sort());
}
