/** Pairs of implemented operations that cannot occur before a feature is there, each with that feature. */
export const later: ReadonlyArray<readonly [operation: string, code: string, feature: string]> = [
  ['uploadObject', 'FILE_TYPE_NOT_ALLOWED', 'upload tokens and prefix rules'],
  ['uploadObject', 'UPLOAD_TOKEN_USED', 'upload tokens'],
  ['uploadObject', 'ORIGIN_NOT_ALLOWED', 'upload tokens'],
  ['listObjects', 'UPLOAD_TOKEN_NOT_ALLOWED', 'upload tokens'],
  ['deleteObjects', 'UPLOAD_TOKEN_NOT_ALLOWED', 'upload tokens'],
  ['getObjectInfo', 'UPLOAD_TOKEN_NOT_ALLOWED', 'upload tokens'],
];
