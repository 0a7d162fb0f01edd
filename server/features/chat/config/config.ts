import type { Reader } from '#server/config/values.ts';
import { aiConfig, type AiConfig } from './ai.ts';
import { searchUrl } from './search-url.ts';

interface ChatConfig {
  readonly ai: AiConfig;
  /** A SearXNG instance, without a trailing slash; undefined: the gateway has no web search. */
  readonly searchUrl: string | undefined;
}

declare module '#server/config/feature-configs.ts' {
  interface FeatureConfigs extends ChatConfig {}
}

/** Reads the variables of the AI gateway. */
export function chatConfig(reader: Reader): ChatConfig {
  return { ai: aiConfig(reader), searchUrl: searchUrl(reader) };
}
