import type { AiConfig } from './ai.ts';

interface ChatConsole {
  /** Whether the AI gateway streams its answers. */
  readonly streaming: boolean;
}

declare module '#server/doors/site/serve-console.ts' {
  interface FeatureConsole extends ChatConsole {}
}

/** Returns what the console knows of the AI gateway. */
export function chatConsole({ ai }: { readonly ai: AiConfig }): ChatConsole {
  return { streaming: ai.streaming.isOn };
}
