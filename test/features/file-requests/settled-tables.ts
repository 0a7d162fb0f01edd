import type { SettledTables } from '#test/contract/bad-input/settled-tables.ts';

export const settledTables: SettledTables['settledTables'] = [
  'file_requests',
  'file_request_reservations',
  'file_request_uploads',
  'file_request_senders',
  'file_request_files',
];
