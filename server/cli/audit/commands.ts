import { addAuditExport } from './export.ts';
import { addAuditVerify } from './verify.ts';

/** Add the commands of the group, in the order of the help. */
export const adds = [addAuditExport, addAuditVerify];
