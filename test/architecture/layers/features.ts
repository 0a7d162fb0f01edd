import { features } from '#server/features.ts';
import type { Layer } from './layer.ts';

/** The operator installs these packages, so each has one folder that may import it. */
const installed: Readonly<Record<string, readonly string[]>> = {
  'server/features/chat/backends/local-model/': ['npm:node-llama-cpp'],
  'server/features/chat/backends/pdf/': ['npm:unpdf', 'server/compile-cache.js'],
  'server/features/images/backends/': ['npm:sharp', 'server/compile-cache.js'],
};

const manifests = features.map(({ name }) => `server/features/${name}/feature.ts`);

const useCases = ['server/features/', 'server/domain/'];

/**
 * The folders of features. Which others a feature may use is in its manifest, and `features.test.ts` compares that with
 * its imports. A use case knows no HTTP, no SQL and no process.
 */
export const featureLayers: readonly Layer[] = features.flatMap(({ name }) => partsOf(`server/features/${name}/`));

/**
 * The folders around the use cases of a feature. Every other folder of a feature is a smaller one of use cases, and what
 * they may not know it may not know either.
 */
const surrounding = partsOf('').flatMap(({ files }) => files.filter((file) => file.endsWith('/')));

/** Whether a file of a feature is a use case, or one of their nouns. */
export function isOfUseCases(file: string): boolean {
  const [, inside] = /^server\/features\/[^/]+\/(.+)$/.exec(file) ?? [];
  return inside !== undefined && !surrounding.some((folder) => inside.startsWith(folder));
}

function partsOf(folder: string): Layer[] {
  const ofBackends = [
    ...useCases,
    'server/backends/',
    'server/circuit-breaker.ts',
    'server/event-loop.ts',
    'server/jobs/',
    'server/config/',
    'server/telemetry/tracing.ts',
    'server/log.ts',
    'node:',
    'npm:eventsource-parser',
    'npm:undici',
  ];
  return [
    {
      files: [`${folder}feature.ts`],
      may: ['server/feature.ts', 'server/stores/tables/counter.ts', folder, ...manifests],
    },
    { files: [`${folder}config.ts`], may: ['server/config/', folder, 'node:module'] },
    {
      files: [`${folder}config/`],
      may: [
        'server/config/',
        'server/domain/',
        'server/doors/site/serve-console.ts',
        `${folder}config/`,
        'node:',
        'npm:smol-toml',
      ],
    },
    { files: [`${folder}metrics/`], may: ['server/metrics/', `${folder}metrics/`] },
    // What it adds to a running server is composed here, of all that it has.
    { files: [`${folder}serve.ts`], may: ['server/', 'node:'] },
    {
      files: [`${folder}handlers/`],
      may: [...useCases, 'server/handlers/', 'server/pages/', 'server/http/', 'generated/', 'npm:lru-cache'],
    },
    { files: [`${folder}pages/`], may: ['server/features/', 'server/pages/', 'node:crypto', 'node:fs'] },
    ...Object.entries(installed)
      .filter(([one]) => one.startsWith(folder))
      .map(([one, more]) => ({ files: [one], may: [...ofBackends, ...more] })),
    { files: [`${folder}backends/`], may: ofBackends },
    { files: [`${folder}tables/`], may: [...useCases, 'server/stores/tables/'] },
    { files: [`${folder}stores/`], may: [...useCases, 'server/stores/', 'node:', 'npm:lru-cache'] },
    {
      files: [`${folder}commands/`],
      may: [
        ...useCases,
        'server/cli/',
        'server/handlers/operator/views/',
        'server/public-address.ts',
        'server/telemetry/',
        'server/stop-signals.ts',
        'server/config/',
        'node:',
        'npm:commander',
      ],
    },
    {
      files: [`${folder}door/`],
      may: [
        ...useCases,
        'server/signature-v4/',
        'server/pipeline/',
        'server/handlers/wire.ts',
        'server/http/',
        'server/event-loop.ts',
        'generated/',
        'server/log.ts',
        'server/metrics.ts',
        'node:',
        'npm:express',
        'npm:fast-xml-parser',
        'npm:lru-cache',
      ],
    },
    // mime-types is a table of names, gpt-tokenizer a table of words, lru-cache a collection. None is a protocol.
    {
      files: [folder],
      may: [
        ...useCases,
        'server/event-loop.ts',
        'generated/errors.ts',
        'node:crypto',
        'node:stream',
        'node:worker_threads',
        'node:zlib',
        'npm:gpt-tokenizer',
        'npm:lru-cache',
        'npm:mime-types',
      ],
    },
  ];
}
