/** Common sets of scopes. The account itself can make keys with other ones. */
export const keyKinds = {
  all: ['*'],
  files: ['blob:read', 'blob:write'],
  readFiles: ['blob:read'],
  ai: ['ai:chat'],
  deploys: ['apps:read', 'apps:deploy'],
} as const;

export type KeyKind = keyof typeof keyKinds;
