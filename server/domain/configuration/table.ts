/** The values of a start's settings by name, as people see them: without secrets. */
export type ShownSettings = Readonly<Record<string, string | null>>;

interface StartedSettingsReader {
  /** Returns the settings of the last start; undefined before the first one. */
  find(): Promise<ShownSettings | undefined>;
}

export interface StartedSettingsTable extends StartedSettingsReader {
  /** Stores the settings of a start, in place of the last one's. */
  save(settings: ShownSettings): Promise<void>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly startedSettings: StartedSettingsReader;
  }
  interface Tables {
    readonly startedSettings: StartedSettingsTable;
  }
}
