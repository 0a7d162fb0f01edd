import { createRequire } from 'node:module';

import { isOn, parseSize, type Reader } from '#server/config/values.ts';
import { formatPreset, parsePreset, type Presets } from './preset.ts';

interface ImagesConfig {
  /** Whether the public host and temporary links serve variants of images. */
  readonly isOn: boolean;
  /** The cache of variants holds so many bytes. */
  readonly cacheBytes: number;
  /** Presets of the installation, for all accounts. */
  readonly presets: Presets;
}

declare module '#server/config/feature-configs.ts' {
  interface FeatureConfigs {
    readonly images: ImagesConfig;
  }
}

const standardCacheBytes = 2 ** 30;
const leastCacheBytes = 2 ** 20;

export function imagesConfig(reader: Reader, hasPackage: () => boolean = hasSharp): ImagesConfig {
  const areOn = isOn(reader, 'CUBBY_IMAGE_VARIANTS', 'off');
  if (areOn && !hasPackage()) {
    reader.refuse(
      'CUBBY_IMAGE_VARIANTS',
      'CUBBY_IMAGE_VARIANTS needs the package sharp, which does not come with Cubby: ' +
        'run "npm install --no-save sharp@0.35" and start again, or set it to off.',
    );
  }
  return { isOn: areOn, cacheBytes: cacheBytes(reader), presets: presets(reader) };
}

function hasSharp(): boolean {
  try {
    createRequire(import.meta.url).resolve('sharp');
    return true;
  } catch {
    return false;
  }
}

function cacheBytes(reader: Reader): number {
  const mustBe = 'a size from 1MiB, such as 500MB or 2GiB';
  const parsed = reader.parsed('CUBBY_IMAGE_CACHE_BYTES', standardCacheBytes, mustBe, (value) => {
    const bytes = parseSize(value);
    return bytes !== undefined && bytes >= leastCacheBytes ? bytes : undefined;
  });
  return reader.show('CUBBY_IMAGE_CACHE_BYTES', parsed);
}

function presets(reader: Reader): Presets {
  const mustBe = 'presets with names of their own, such as thumb:w=200&h=200&fit=cover,large:w=1600';
  const found = reader.parsed<Presets, Presets>('CUBBY_IMAGE_PRESETS', new Map(), mustBe, (value) => {
    const parsed = value.split(',').map((one) => parsePreset(one.trim()));
    const named = new Map(parsed.filter((one) => one !== undefined));
    return named.size === parsed.length ? named : undefined;
  });
  return reader.show('CUBBY_IMAGE_PRESETS', found, [...found].map(formatPreset).join(', ') || 'none');
}
