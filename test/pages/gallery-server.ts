import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';

import { ofAllPages } from '#server/doors/contract/page-parts.ts';
import { pageScripts } from '#server/features/file-requests/pages/sending/page-scripts.ts';
import { previewHeaders } from '#server/features/shares/pages/share-preview.ts';
import type { PreviewKind } from '#server/features/shares/pages/share-view.ts';
import type { Picture } from './gallery.ts';

/** Serves pages under `/s/<name>`, with their stylesheet, scripts and previews at the addresses that they use. */
export interface GalleryServer {
  readonly base: string;
  stop(): Promise<void>;
}

/** @param pictures called for each request with the name of the page */
export async function serveGallery(pictures: (name: string) => Picture | undefined): Promise<GalleryServer> {
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url!, 'http://any');
    const [, folder, name = ''] = pathname.split('/');
    const part = [...ofAllPages, ...pageScripts].find(({ path }) => path === pathname);
    if (part) return void res.writeHead(200, { 'Content-Type': part.type }).end(part.content);
    if (folder === 'preview')
      return void res
        .writeHead(200, { ...samples[name as PreviewKind].headers, ...previewHeaders(name as PreviewKind) })
        .end(samples[name as PreviewKind].bytes);
    const picture = pictures(name);
    res.writeHead(picture ? 200 : 404, picture?.headers).end(picture?.page);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/s/`,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}

interface Sample {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

const samples: Readonly<Record<PreviewKind, Sample>> = {
  image: { headers: { 'Content-Type': 'image/png' }, bytes: sunset(480, 300) },
  audio: { headers: { 'Content-Type': 'audio/wav' }, bytes: silence(8000 * 12) },
  video: { headers: { 'Content-Type': 'video/mp4' }, bytes: Buffer.alloc(0) },
  pdf: { headers: { 'Content-Type': 'application/pdf' }, bytes: Buffer.from('%PDF-1.4\n') },
  text: {
    headers: {},
    bytes: Buffer.from(
      `Notes\n=====\n\n${'- Call the landlord back, and ask for the key of the cellar.\n'.repeat(20)}`,
    ),
  },
};

/** Draws a picture with visible content. */
export function sunset(width: number, height: number): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x++) {
      const isSun = (x - width / 2) ** 2 + (y - height * 0.6) ** 2 < (height / 5) ** 2 && y < height * 0.66;
      row.set(isSun ? [255, 209, 102] : y < height * 0.66 ? [239, 131 + y / 4, 84 + y / 3] : [79, 109, 122], 1 + x * 3);
    }
    return row;
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}

/** Returns a silent sound with this number of samples, one byte each, 8000 a second. */
export function silence(samplesCount: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samplesCount, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samplesCount, 40);
  return Buffer.concat([head, Buffer.alloc(samplesCount, 128)]);
}
