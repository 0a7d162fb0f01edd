import type { OperatorInstallation, OperatorUpkeep } from '#dist/modules/client/index.js';

type Finding = 'disk' | 'clock' | 'damaged' | 'backupFailed' | 'backupNone';

/** Returns what an operator should look at. Without `upkeep`, backups and the scrub are not judged. */
export function healthOf(
  { disk }: Pick<OperatorInstallation, 'disk'>,
  upkeep: OperatorUpkeep | undefined,
  hasClockJump: boolean,
): Finding[] {
  const findings: Finding[] = [];
  if (disk.full) findings.push('disk');
  if (hasClockJump) findings.push('clock');
  if (!upkeep) return findings;
  if (upkeep.scrub.damaged_files > 0) findings.push('damaged');
  if (upkeep.backups.some(({ state }) => state === 'failed' || state === 'lost')) findings.push('backupFailed');
  if (upkeep.backups.length === 0) findings.push('backupNone');
  return findings;
}
