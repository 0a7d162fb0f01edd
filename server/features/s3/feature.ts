import { feature } from '#server/feature.ts';
import { files } from '../files/feature.ts';
import { rules } from '../rules/feature.ts';
import { trash } from '../trash/feature.ts';
import { uploads } from '../uploads/feature.ts';

/** The gateway for S3 clients. */
export const s3 = feature({
  name: 's3',
  needs: [rules, files, uploads, trash],
  pages: ['s3', 'start/s3', 'tutorials/backup-restic'],
  doors: ['s3'],
  serve: () => import('./serve.ts'),
});
