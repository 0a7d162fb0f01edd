import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { because, noProgram } from '#test/support/programs.ts';

const unit = join(import.meta.dirname, '../../deploy/systemd/cubby.service');
const missing = noProgram('systemd-analyze');

describe.skipIf(missing)(`deploy/systemd/cubby.service${because(missing)}`, () => {
  it('is exposed less than 2.0 by the count of systemd', () => {
    const report = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
      encoding: 'utf8',
    });
    const exposure = Number(/exposure level for cubby\.service: ([\d.]+)/.exec(report)![1]);
    expect(exposure).toBeLessThan(2);
    expect(readFileSync(unit, 'utf8')).toContain(`(${exposure})`);
  });

  it('has no setting that systemd does not know', () => {
    const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line.includes('cubby.service'))).toEqual([]);
  });
});
