import type { ImagePreset } from '#generated/types.ts';
import type { SettingsPart } from '#server/handlers/settings-part.ts';
import { presetsChange } from '../account-presets.ts';
import type { NamedPreset } from '../preset.ts';

/** The presets of images in the settings of an account. */
export const presetsSettings: SettingsPart<'image_presets'> = {
  field: 'image_presets',
  parse: (sent) => presetsChange(sent.map(presetOf)),
  async read(tables, accountId) {
    return (await tables.imagePresets.listOf(accountId)).map(wirePreset);
  },
};

function presetOf({ name, w, h, fit = 'contain', q, f = 'auto' }: ImagePreset): NamedPreset {
  return { name, variant: { width: w ?? null, height: h ?? null, fit, quality: q ?? null, format: f } };
}

function wirePreset({ name, variant: { width, height, fit, quality, format } }: NamedPreset): ImagePreset {
  return {
    name,
    ...(width !== null && { w: width }),
    ...(height !== null && { h: height }),
    fit,
    ...(quality !== null && { q: quality }),
    f: format,
  };
}
