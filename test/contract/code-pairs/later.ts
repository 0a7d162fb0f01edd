/** Pairs that need a missing feature, each with that feature. */
export const later: ReadonlyArray<readonly [operation: string, code: string, feature: string]> = [
  ['copyObject', 'PRIVATE_STORAGE_UNAVAILABLE', 'a store for each visibility (a copy writes rows only)'],
  ['copyObject', 'PUBLIC_STORAGE_UNAVAILABLE', 'a store for each visibility (a copy writes rows only)'],
];
