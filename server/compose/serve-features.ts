import type { Handlers } from '#generated/router.ts';
import { allEnded } from '#server/domain/all-ended.ts';
import type { Config } from '#server/config/config.ts';
import type { ApiPart } from '#server/handlers/api-part.ts';
import type { Feature } from '#server/feature.ts';
import { features } from '#server/features.ts';
import type { Call } from '#server/handlers/call.ts';
import type { Given } from './given.ts';
import type { Ports, Served } from './served.ts';

/** Returns the features that are switched on, in order. */
export function featuresOn({ featuresOff: off }: Pick<Config, 'featuresOff'>): readonly Feature[] {
  return features.filter(({ name }) => !off.has(name));
}

/** Returns the features that are switched off, in order. */
export function featuresOff({ featuresOff: off }: Pick<Config, 'featuresOff'>): readonly Feature[] {
  return features.filter(({ name }) => off.has(name));
}

/** Loads the features that are switched on, and opens them one after the other. */
export async function serveFeatures(given: Given): Promise<Served[]> {
  const modules = await Promise.all(featuresOn(given.config).flatMap(({ serve }) => (serve ? [serve()] : [])));
  const opened: Served[] = [];
  try {
    for (const { serve } of modules) opened.push(await serve(given));
    return opened;
  } catch (error) {
    await stopAll(opened);
    throw error;
  }
}

/** Returns what features have for each other. */
export function portsOf(served: readonly Served[]): Ports {
  // Ports of features that one needs are there. Any other may be undefined, and its type says so.
  return Object.assign({}, ...served.map(({ ports }) => ports)) as Ports;
}

/** Returns the handlers of all operations that this server has. */
export function handlersOf(served: readonly Served[], ports: Ports): Partial<Handlers<Call>> {
  return Object.assign({}, ...served.map((one) => one.handlers?.(ports, served))) as Partial<Handlers<Call>>;
}

/** Returns what features add to the door of the API. */
export function apiPartsOf(served: readonly Served[]): readonly ApiPart[] {
  return served.flatMap(({ apiPart }) => (apiPart ? [apiPart] : []));
}

/** Ends the work of all features, also if some cannot end theirs. @throws the first error, after that */
export async function stopAll(served: readonly Served[]): Promise<void> {
  await allEnded(served.map(async ({ work }) => work?.stop()));
}
