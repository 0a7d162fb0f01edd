import type { Feature } from '#server/feature.ts';
import { features } from '#server/features.ts';
import type { FeatureConfigs } from './feature-configs.ts';
import { quoted, type Reader } from './values.ts';

declare module '#server/feature.ts' {
  interface Feature {
    /** Reads and shows its variables, also when it is switched off. */
    readonly config?: (reader: Reader) => Partial<FeatureConfigs>;
  }
}

const variable = 'CUBBY_FEATURES';

const all: readonly Feature[] = features;

const configs = all.flatMap(({ config = [] }) => config);

/** Reads the variables of all features. */
export function featureConfigs(reader: Reader): FeatureConfigs {
  return Object.assign({}, ...configs.map((read) => read(reader))) as FeatureConfigs;
}

/** The features that may be switched off, in the order of the list. */
const offered = all.filter(({ isRequired }) => !isRequired).map(({ name }) => name);

/** Returns the names of the features that are switched off: `-chat,-deploys`. */
export function switchedOffFeatures(reader: Reader): ReadonlySet<string> {
  const entries = reader.list(variable);
  const off = new Set<string>();
  for (const entry of entries) {
    const name = entry.startsWith('-') ? entry.slice(1) : '';
    if (offered.includes(name)) off.add(name);
    else reader.refuse(variable, `${variable} has ${quoted(entry)}. ${entryProblem(name)}`);
  }
  for (const { name, needs } of all) {
    const missing = off.has(name) ? [] : needs.filter((needed) => off.has(needed.name));
    if (missing.length > 0) {
      const names = missing.map((needed) => needed.name).join(' and ');
      reader.refuse(
        variable,
        `${variable} switches off ${names}, which ${name} needs. Switch off ${name} too: -${name}.`,
      );
    }
  }
  return reader.show(variable, off, [...off].map((name) => `-${name}`).join(',') || 'all');
}

function entryProblem(name: string): string {
  if (all.some((one) => one.name === name)) return `Cubby does not work without ${name}.`;
  const names = offered.map((one) => `-${one}`).join(', ');
  return `It takes the features to switch off, joined by commas: ${names}.`;
}
