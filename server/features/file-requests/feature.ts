import { feature, ofAccount } from '#server/feature.ts';
import { files } from '../files/feature.ts';
import { rules } from '../rules/feature.ts';
import { shares } from '../shares/feature.ts';
import { uploads } from '../uploads/feature.ts';
import { fileRequestsTable } from './tables/file-requests.ts';
import { forgetFileRequests } from './forget-file-requests.ts';
import { resealFileRequests } from './reseal-file-requests.ts';
import { releaseReservedSpace } from './reserve-space.ts';

const ofFileRequests = 'request_id IN (SELECT request_id FROM file_requests WHERE account_id = ?)';

/** Pages on which others send files to an account. */
export const fileRequests = feature({
  name: 'file-requests',
  needs: [rules, files, shares, uploads],
  pages: ['file-requests'],
  schema: ['file-requests'],
  tables: {
    fileRequests: fileRequestsTable,
  },
  processTables: [{ name: 'file_request_reservations' }],
  accountRows: [
    ['file_request_files', 'request_id, sender_hash, number', ofFileRequests],
    ['file_request_senders', 'request_id, sender_hash', ofFileRequests],
    ['file_requests', 'request_id', ofAccount],
  ],
  jobs: {
    'forget-file-requests': { stage: 'rows', trustsClock: true, run: forgetFileRequests },
  },
  recover: { released_request_space: releaseReservedSpace },
  reseal: resealFileRequests,
  serve: () => import('./serve.ts'),
});
