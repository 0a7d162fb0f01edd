import { isOn } from '../../app/config.ts';
import { deployParts } from '../deploys/app-parts.tsx';
import { edgeErrorParts } from '../edge-errors/app-parts.ts';
import type { AppPart } from './app-part.ts';

/** What features show of an application, in the order of its tabs. */
const all: readonly AppPart[] = [...deployParts, ...edgeErrorParts];

/** Returns the parts that the server has. */
export function appParts(): AppPart[] {
  return all.filter(({ feature }) => isOn(feature));
}
