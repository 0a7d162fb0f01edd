import type { NamedPreset } from './preset.ts';

interface ImagePresetsReader {
  /** Returns the presets of an account, by name. */
  listOf(accountId: string): Promise<readonly NamedPreset[]>;
}

export interface ImagePresetsTable extends ImagePresetsReader {
  /** Replaces all presets of the account. */
  replaceAll(accountId: string, presets: readonly NamedPreset[]): Promise<void>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly imagePresets: ImagePresetsReader;
  }
  interface Tables {
    readonly imagePresets: ImagePresetsTable;
  }
}
