// The package has no types, and those of others describe an older version.
declare module 'js-yaml' {
  export function dump(value: unknown, options?: { lineWidth?: number; noRefs?: boolean }): string;
}
