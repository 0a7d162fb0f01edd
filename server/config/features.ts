import type { Feature } from '#server/feature.ts';
import { features } from '#server/features.ts';
import { quoted, type Reader } from './values.ts';

const variable = 'CUBBY_FEATURES';

const all: readonly Feature[] = features;

/** The features that may be switched off, in the order of the list. */
const offered = all.filter(({ isRequired }) => !isRequired).map(({ name }) => name);

/** Returns the names of the features that are switched off: `-chat,-deploys`. */
export function featuresOff(reader: Reader): ReadonlySet<string> {
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
      reader.refuse(variable, `${variable} switches off ${names}, which ${name} needs. Switch off ${name} too: -${name}.`);
    }
  }
  return off;
}

function entryProblem(name: string): string {
  if (all.some((one) => one.name === name)) return `Cubby does not work without ${name}.`;
  const names = offered.map((one) => `-${one}`).join(', ');
  return `It takes the features to switch off, joined by commas: ${names}.`;
}

/** Returns the setting as people see it. */
export function featuresSettings(off: ReadonlySet<string>): Record<string, string> {
  return { [variable]: off.size === 0 ? 'all' : [...off].map((name) => `-${name}`).join(',') };
}
