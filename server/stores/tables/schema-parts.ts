import { features } from '#server/features.ts';

/** The parts of the core: first what features refer to, then what refers to features. */
const [first, last] = [
  ['accounts', 'keys', 'upload-tokens', 'contents'],
  ['activity', 'limits', 'operator', 'backup', 'upkeep', 'secrets'],
];

type Engine = 'sqlite' | 'postgres';

/** A file of the schema. */
interface SchemaPart {
  readonly name: string;
  readonly file: URL;
}

/** Returns the parts of an engine's schema. A table comes after those that it refers to. */
export function schemaParts(engine: Engine): SchemaPart[] {
  const ofCore = (name: string) => ({ name, file: new URL(`../${engine}/schema/${name}.sql`, import.meta.url) });
  const ofFeatures = features.flatMap(({ name: feature, ...parts }) =>
    ('schema' in parts ? parts.schema : []).map((name) => ({
      name,
      file: new URL(`../../features/${feature}/tables/${engine}/${name}.sql`, import.meta.url),
    })),
  );
  // Rows over PostgreSQL say which server they belong to.
  return [...(engine === 'postgres' ? ['replicas'] : []), ...first].map(ofCore).concat(ofFeatures, last.map(ofCore));
}
