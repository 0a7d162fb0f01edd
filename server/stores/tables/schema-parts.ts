/**
 * The parts of the schema, in the order in which they are created. A table comes after those that it refers to. Each
 * engine has a file of this name for each part.
 */
export const schemaParts = [
  'accounts',
  'keys',
  'files',
  'trash',
  'rules',
  'upload-tokens',
  'uploads',
  'shares',
  'file-requests',
  'folders',
  'images',
  'activity',
  'webhooks',
  'limits',
  'chat',
  'deploys',
  'edge-errors',
  'operator',
  'backup',
  'upkeep',
  'secrets',
];
