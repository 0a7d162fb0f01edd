import { identityOf } from './model-upstreams.ts';
import type { ConfiguredModel, ConfiguredModels } from './models.ts';

/**
 * Returns the names of what a new file of models changes, without what does not change. It has no address and no key.
 */
export function changesOf(before: ConfiguredModels, after: ConfiguredModels) {
  const [old, now] = [modelsOf(before), modelsOf(after)];
  const [oldServers, servers] = [serversOf(before), serversOf(after)];
  const lists = {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].filter(([name, text]) => old.has(name) && old.get(name) !== text).map(([name]) => name),
    // Servers that get requests from now on.
    added_upstreams: [...servers].filter(([identity]) => !oldServers.has(identity)).map(([, name]) => name),
    removed_upstreams: [...oldServers].filter(([identity]) => !servers.has(identity)).map(([, name]) => name),
  };
  return {
    ...Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length > 0)),
    ...(before.defaultName !== after.defaultName && { default: after.defaultName }),
    ...(before.rejectsUnknown !== after.rejectsUnknown && {
      unknown_models: after.rejectsUnknown ? 'reject' : 'default',
    }),
    ...(before.currency !== after.currency && { currency: after.currency ?? null }),
    ...(JSON.stringify(before.embeddingPrices) !== JSON.stringify(after.embeddingPrices) && { embeddings: 'prices' }),
    ...(JSON.stringify(before.plans) !== JSON.stringify(after.plans) && { plans: after.plans }),
    ...(JSON.stringify(before.redactions) !== JSON.stringify(after.redactions) && {
      redactions: after.redactions.map(({ name }) => name),
    }),
  };
}

function modelsOf({ models }: ConfiguredModels): Map<string, string> {
  return new Map(models.map((model: ConfiguredModel) => [model.name, JSON.stringify(model)]));
}

function serversOf({ models }: ConfiguredModels): Map<string, string> {
  return new Map(models.flatMap(({ upstreams }) => upstreams.map((one) => [identityOf(one), one.name] as const)));
}
