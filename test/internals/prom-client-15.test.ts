import { execFileSync } from 'node:child_process';

import * as prom from 'prom-client';
import { describe, expect, it } from 'vitest';

import { aggregated, Counter, Gauge, Histogram, Registry } from '#server/internals/prom-client-15.ts';
import { root } from '#test/architecture/imports.ts';

/** Returns how many modules a program loads with these lines. */
function modulesOf(script: string): number {
  const count = `${script}; console.log(Object.keys(require.cache).length);`;
  return Number(execFileSync(process.execPath, ['-e', count], { cwd: root, encoding: 'utf8' }));
}

describe('the metrics of prom-client', () => {
  it('are those that its index exports', () => {
    expect({ Counter, Gauge, Histogram, Registry }).toEqual({
      Counter: prom.Counter,
      Gauge: prom.Gauge,
      Histogram: prom.Histogram,
      Registry: prom.Registry,
    });
  });

  it('are loaded with far fewer modules than by the index', () => {
    const files = ['counter', 'gauge', 'histogram', 'registry'].map((name) => `require('prom-client/lib/${name}.js')`);
    expect(modulesOf("require('prom-client')") - modulesOf(files.join(';'))).toBeGreaterThan(50);
  });

  it('are added up over processes', async () => {
    const ofProcess = async (requests: number) => {
      const registry = new Registry();
      new Counter({ name: 'requests', help: 'a', registers: [registry] }).inc(requests);
      new Gauge({ name: 'open', help: 'a', registers: [registry], aggregator: 'max' }).set(requests);
      return registry.getMetricsAsJSON();
    };
    const text = await aggregated([await ofProcess(2), await ofProcess(3)]).metrics();
    expect(text).toMatch(/^requests 5$/m);
    expect(text).toMatch(/^open 3$/m);
  });
});
