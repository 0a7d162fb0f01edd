import type { App } from './app.ts';

export interface AppsReader {
  find(appId: string): Promise<App | undefined>;
  /** Returns the account's applications: the built-in one first, then the others, oldest first. */
  listOf(accountId: string): Promise<App[]>;
}

export interface AppsTable extends AppsReader {
  add(app: App): Promise<void>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly apps: AppsReader;
  }
  interface Tables {
    readonly apps: AppsTable;
  }
}
