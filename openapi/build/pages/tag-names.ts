/** The tag names in the menu. The contract's own names are short, because code uses them. */
export const tagNames: Readonly<Record<string, string>> = {
  objects: 'Files',
  chunked: 'Chunked uploads',
  'upload-tokens': 'Upload tokens',
  shares: 'Share links',
  'file-requests': 'File requests',
  receiving: 'Sending to a file request',
  delivery: 'Fetching files',
  account: 'Account',
  events: 'Events and webhooks',
  s3: 'S3 gateway',
  chat: 'AI gateway',
  apps: 'Apps',
  device: 'Device approval',
  operations: 'Health and metrics',
  operator: "The operator's door",
};
