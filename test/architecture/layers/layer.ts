/**
 * The allowed imports of some files. Patterns are prefixes of paths from the root. `npm:` stands before packages,
 * `node:` before built-in modules.
 */
export interface Layer {
  readonly files: readonly string[];
  readonly may: readonly string[];
}
