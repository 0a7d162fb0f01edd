import { feature, ofAccount } from '#server/feature.ts';
import { ofAccounts } from '#server/stores/tables/counter.ts';
import { rules } from '../rules/feature.ts';
import { uploadTokens } from '../upload-tokens/feature.ts';
import { abandonReservations } from './upload/abandon-reservations.ts';
import { deleteByRule } from './deletion/delete-by-rule.ts';
import { deleteExpired } from './deletion/delete-expired.ts';
import { hashContents } from './hash-contents.ts';
import { removeFiles } from './deletion/remove-files.ts';
import { joinFileReads } from './stores/joined-reads.ts';
import { legacyImportsTable } from './tables/legacy-imports.ts';
import { linksOfFileTable } from './tables/links-of-file.ts';
import { objectsTable } from './tables/objects.ts';
import { purgesTable } from './tables/purges.ts';
import { trashTable } from './tables/trash.ts';

/** Files by address: upload, list, copy, change and delete, with their links and the purges of a CDN. */
export const files = feature({
  name: 'files',
  needs: [rules, uploadTokens],
  isRequired: true,
  doors: ['public'],
  schema: ['files', 'trash'],
  tables: {
    legacyImports: legacyImportsTable,
    linksOfFile: linksOfFileTable,
    objects: objectsTable,
    purges: purgesTable,
    trash: trashTable,
  },
  fileTables: ['objects', 'trash'],
  counters: [
    ofAccounts('used_bytes', 'size_bytes', 'objects'),
    ofAccounts('used_bytes', 'size_bytes', 'trash'),
    ofAccounts('trash_bytes', 'size_bytes', 'trash'),
    ofAccounts('trash_objects', '1', 'trash'),
    ofAccounts('used_objects', '1', 'objects'),
  ],
  readSteps: {
    objects: ['expired', 'scan', 'scanAgedByKey', 'scanByAge', 'scanRolledUp', 'unhashed'],
    purges: ['page'],
  },
  joinReads: joinFileReads,
  accountRows: [['legacy_imports', 'account_id, key', ofAccount]],
  emptyAccount: removeFiles,
  jobs: {
    'delete-expired': { stage: 'files', trustsClock: true, isByAccount: true, run: deleteExpired },
    'delete-by-rule': { stage: 'files', trustsClock: true, run: deleteByRule },
    'hash-contents': { stage: 'contents', trustsClock: false, run: hashContents },
  },
  recover: { abandoned_uploads: abandonReservations },
  wrapRows: () => import('./backends/wrap-rows.ts'),
  commands: () => import('./commands/commands.ts'),
  serve: () => import('./serve.ts'),
});
