/** A legacy file that was brought over once, wherever it may be by now. */
export interface LegacyImport {
  readonly accountId: string;
  readonly key: string;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
}

export interface LegacyImportsReader {
  /** What was last imported under that key. */
  find(file: Pick<LegacyImport, 'accountId' | 'key'>): Promise<LegacyImport | undefined>;
}

export interface LegacyImportsTable extends LegacyImportsReader {
  /** Notes an import, in the place of an earlier one of that key. */
  save(file: LegacyImport): Promise<void>;
}

declare module '../ports/metadata.ts' {
  interface Readers {
    readonly legacyImports: LegacyImportsReader;
  }
  interface Tables {
    readonly legacyImports: LegacyImportsTable;
  }
}
