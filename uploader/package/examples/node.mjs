// CUBBY_URL=https://api.example.com CUBBY_KEY=… node node.mjs report.pdf
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';

import { client, listObjects } from 'cubby-client';
import { uploadFile } from 'cubby-client/uploader';

const { CUBBY_URL: baseUrl, CUBBY_KEY: credential } = process.env;
const path = process.argv[2];

const upload = uploadFile(await openAsBlob(path), { baseUrl, credential, fileName: basename(path) });
const { id, sizeBytes } = await upload.done;
console.log('stored', id, sizeBytes);

client.setConfig({ baseUrl, headers: { Authorization: credential } });
let cursor;
do {
  const { data, error } = await listObjects({ query: { limit: 1000, ...(cursor && { cursor }) } });
  if (error) throw new Error(`${error.code}: ${error.message}`);
  for (const { id } of data.response.objects) console.log('listed', id);
  cursor = data.response.continuationToken;
} while (cursor);
