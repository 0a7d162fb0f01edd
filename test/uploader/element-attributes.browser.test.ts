import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { attributes, propertyOf } from '#dist/modules/uploader/element/attributes.js';
import { noChromium, sharedChromium } from '#test/support/chromium.ts';

const modules = join(import.meta.dirname, '../../dist/modules');
const origin = 'http://page.invalid';

/** When a page sets an attribute or a property. */
const moments = ['before the class is defined', 'before the element is in the page', 'later'] as const;

/** A row: what is set, and what is then there. A missing attribute is null. */
interface Row {
  readonly name: string;
  readonly set: 'attribute' | 'property';
  readonly value: unknown;
  readonly attribute: string | null;
  readonly property: unknown;
}

const rows: readonly Row[] = Object.entries(attributes).flatMap(([name, kind]): Row[] => {
  const property = (value: unknown, attribute: string | null, read: unknown) =>
    ({ name, set: 'property', value, attribute, property: read }) as const;
  const attribute = (value: string, read: unknown) =>
    ({ name, set: 'attribute', value, attribute: value, property: read }) as const;
  if (kind === 'flag')
    return [
      property(true, '', true),
      property('', '', true),
      property(false, null, false),
      property('false', null, false),
      property(undefined, null, false),
      attribute('', true),
      attribute('true', true),
      attribute('false', false),
    ];
  // The form itself is tested below. This id names none.
  const read = (text: string) => (name === 'form' ? null : text);
  const missing = name === 'name' ? '' : null;
  return [
    property('some', 'some', read('some')),
    attribute('some', read('some')),
    // The platform's own property takes no null.
    ...(name === 'lang'
      ? []
      : [property(7, '7', read('7')), property(null, null, missing), property(undefined, null, missing)]),
  ];
});

describe.skipIf(noChromium)(`attributes of <cubby-upload>${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedChromium();
  });
  afterAll(() => browser.close());

  /** Opens an empty page. Its `define()` loads the element. */
  async function open(): Promise<Page> {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/')
        return route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><form id="f"></form><script type="module">
            globalThis.define = () => import('/uploader/element/element.js');
          </script>`,
        });
      await route.fulfill({ contentType: 'text/javascript', body: await readFile(join(modules, pathname), 'utf8') });
    });
    await page.goto(origin);
    return page;
  }

  it.each(moments)('properties work as well as attributes, set %s', async (moment) => {
    const page = await open();
    // An element without a class has the read-only `prefix` of every element.
    const meant = rows.filter(({ name, set }) => !(moment === moments[0] && name === 'prefix' && set === 'property'));
    const found = await page.evaluate(
      async ([all, when]) => {
        const { document, define } = globalThis as any;
        if (when !== 'before the class is defined') await define();
        const made = all.map(({ name, key, set, value }: any) => {
          const element = document.createElement('cubby-upload');
          if (when === 'later') document.body.append(element);
          if (set === 'property') element[key] = value;
          else element.setAttribute(name, value);
          if (when !== 'later') document.body.append(element);
          return element;
        });
        if (when === 'before the class is defined') await define();
        return all.map(({ name, key }: any, at: number) => [made[at].getAttribute(name), made[at][key]]);
      },
      [meant.map((row) => ({ ...row, key: propertyOf(row.name) })), moment] as const,
    );
    const text = ({ name, set, value }: Row) => `${name}, ${set} ${JSON.stringify(value)}`;
    expect(meant.map((row, at) => [text(row), ...found[at]!])).toEqual(
      meant.map((row) => [text(row), row.attribute, row.property]),
    );
  });

  it('the form that is named by a property is the form of the element', async () => {
    const page = await open();
    const forms = await page.evaluate(async () => {
      const { document, define } = globalThis as any;
      const early = document.body.appendChild(document.createElement('cubby-upload'));
      early.form = 'f';
      await define();
      const late = document.body.appendChild(document.createElement('cubby-upload'));
      late.form = 'f';
      const before = [early.form?.id, late.form?.id];
      late.form = null;
      return [...before, late.form];
    });
    expect(forms).toEqual(['f', 'f', null]);
  });

  it('`overwrite`, which is on by default, is set as on every other form', async () => {
    const page = await open();
    const read = await page.evaluate(async () => {
      const { document, define } = globalThis as any;
      const early = document.body.appendChild(document.createElement('cubby-upload'));
      early.overwrite = false;
      await define();
      const late = document.createElement('cubby-upload');
      const first = [early.overwrite, early.getAttribute('overwrite'), late.overwrite];
      late.overwrite = 'false';
      const off = [late.overwrite, late.getAttribute('overwrite')];
      late.overwrite = true;
      return [...first, ...off, late.overwrite, late.getAttribute('overwrite')];
    });
    expect(read).toEqual([false, 'false', true, false, 'false', true, null]);
  });
});
