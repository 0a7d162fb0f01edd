/** A legacy file that was imported once. It may be elsewhere by now. */
export interface LegacyImport {
  readonly accountId: string;
  readonly key: string;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
}

interface LegacyImportsReader {
  /** Finds the last import under that key. */
  find(file: Pick<LegacyImport, 'accountId' | 'key'>): Promise<LegacyImport | undefined>;
}

export interface LegacyImportsTable extends LegacyImportsReader {
  /** Saves an import, in place of an earlier one of that key. */
  save(file: LegacyImport): Promise<void>;
}

declare module '#server/domain/ports/metadata.ts' {
  interface Readers {
    readonly legacyImports: LegacyImportsReader;
  }
  interface Tables {
    readonly legacyImports: LegacyImportsTable;
  }
}
