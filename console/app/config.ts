import { fetchOrEarly } from './early-answers.ts';

/** What the server says about itself before anybody signs in: `/console/config.json`. */
export interface Config {
  readonly door: 'account' | 'operator';
  readonly version: string;
  readonly api_url: string;
  readonly files_url: string;
  readonly public_url: string;
  readonly s3_url: string;
  /** Null if the documentation is not built. */
  readonly docs_url: string | null;
  /** Whether the AI gateway streams its answers. */
  readonly streaming: boolean;
  /** The names of the features that are switched off. */
  readonly features_off: readonly string[];
}

let known: Config | undefined;

/** @throws if the server does not answer */
export async function loadConfig(): Promise<Config> {
  const answer = await fetchOrEarly('/console/config.json', { credentials: 'same-origin' });
  known = (await answer.json()) as Config;
  return known;
}

/** Returns the configuration, which is loaded before the first screen. */
export function config(): Config {
  if (!known) throw new Error('The configuration is read before it is loaded.');
  return known;
}

/** Whether the server has a feature switched on. */
export function isOn(feature: string): boolean {
  return !config().features_off.includes(feature);
}
