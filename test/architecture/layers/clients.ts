import type { Layer } from './layer.ts';

/** What runs beside the server: in browsers, and in programs of others. */
export const clientLayers: readonly Layer[] = [
  // A program that uses the handlers of Mock Service Worker has it installed.
  { files: ['mocks/consumer/msw.'], may: ['dist/modules/fixtures/', 'npm:msw'] },
  { files: ['mocks/consumer/'], may: ['mocks/consumer/', 'dist/modules/fixtures/', 'dist/modules/client/', 'node:'] },
  // The frameworks are imported only for their types. A program that uses one has it installed.
  { files: ['uploader/element/react.ts'], may: ['uploader/', 'npm:react'] },
  { files: ['uploader/element/preact.ts'], may: ['uploader/', 'npm:preact'] },
  { files: ['uploader/element/solid.ts'], may: ['uploader/', 'npm:solid-js'] },
  // Programs as users of the published client write them.
  {
    files: ['uploader/package/examples/'],
    may: ['npm:cubby-client', 'npm:preact', 'npm:react', 'npm:solid-js', 'npm:vue', 'node:'],
  },
  // This code runs in browsers, so it imports nothing of Node or the server, and no package.
  { files: ['uploader/'], may: ['uploader/', 'dist/modules/client/'] },
  { files: ['console/build/'], may: ['console/build/', 'openapi/build/modules.ts', 'node:', 'npm:vite'] },
  // The messages of pages know nothing but each other.
  { files: ['console/messages/'], may: ['console/messages/'] },
  // The console knows the server only by the contract: it calls the generated client, and no other part of the server.
  {
    files: ['console/'],
    may: [
      'console/',
      'dist/modules/client/',
      'dist/modules/uploader/',
      'npm:preact',
      'npm:@preact/signals',
      'npm:uplot',
      'npm:uqr',
    ],
  },
  // Programs as their authors would write them, with what the package exports.
  {
    files: ['examples/'],
    may: ['examples/', 'dist/modules/client/', 'dist/modules/uploader/', 'npm:react', 'npm:react-dom'],
  },
];
