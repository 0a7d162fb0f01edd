import { feature, ofAccount } from '#server/feature.ts';
import { files } from '../files/feature.ts';
import { imagesConfig } from './config.ts';
import { imagePresetsTable } from './tables/image-presets.ts';

/** Variants of images. */
export const images = feature({
  name: 'images',
  needs: [files],
  pages: ['images'],
  config: (reader) => ({ images: imagesConfig(reader) }),
  dataFolders: [{ name: 'variants' }],
  schema: ['images'],
  tables: {
    imagePresets: imagePresetsTable,
  },
  accountRows: [['image_presets', 'account_id, name', ofAccount]],
  serve: () => import('./serve.ts'),
});
