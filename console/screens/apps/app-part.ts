import type { ComponentType } from 'preact';

import type { App } from '#dist/modules/client/index.js';

/** What a feature shows of an application: a tab, with an address below that of the application. */
export interface AppPart {
  /** The feature that it is of. A server may have it switched off. */
  readonly feature: string;
  readonly name: string;
  title(): string;
  /** A sentence about it, above the list of applications. */
  lead?(): string;
  /** Whether the application that every account has opens with it. It has no repository. */
  readonly opensBuiltIn?: true;
  readonly Content: ComponentType<{ readonly appId: string }>;
  /** One of the things that it lists, as a screen of its own. Ids begin with the prefix. */
  readonly item?: {
    readonly prefix: string;
    readonly Content: ComponentType<{ readonly app: App; readonly id: string }>;
  };
}
