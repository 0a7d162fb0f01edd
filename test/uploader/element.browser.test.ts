import { writeFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { axe } from '#test/support/axe.ts';
import { noChromium } from '#test/support/chromium.ts';
import { choose, elementPages, fileOf, inState, nextChooser, row, said } from './element-page.ts';
import { generateFile } from './generated-file.ts';

const isLong = process.env.CUBBY_TEST_LONG === '1';
/** Returns the findings of axe: WCAG 2.2 A and AA and best practices, or only those of the given rules. */
async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('globalThis.axe'))) await page.evaluate(axe);
  return page.evaluate(async (runOnly) => {
    const { violations } = await (globalThis as any).axe.run(
      runOnly ? { runOnly, resultTypes: ['violations'] } : { resultTypes: ['violations'] },
    );
    return violations.map(
      ({ id, nodes }: any) =>
        `${id}: ${nodes.map(({ target, failureSummary }: any) => `${target} ${failureSummary}`).join('; ')}`,
    );
  }, rules);
}

/** Sets media preferences of the user until the calling test ends. */
async function preferred(page: Page, media: NonNullable<Parameters<Page['emulateMedia']>[0]>): Promise<void> {
  await page.emulateMedia(media);
  onTestFinished(() => page.emulateMedia({ colorScheme: null, reducedMotion: null, forcedColors: null }));
}

describe.skipIf(noChromium)(`<cubby-upload>${noChromium ? ` (skipped: ${noChromium})` : ''}`, () => {
  const pages = elementPages();
  const focused = (page: Page) =>
    page.evaluate(() => (globalThis as any).document.activeElement?.shadowRoot?.activeElement?.ariaLabel ?? null);

  it('uploads several files at once, and reports each with its own progress', async () => {
    const { page, complaints, strangers } = await pages.opened();
    await page.evaluate(() => {
      const told: unknown[] = [];
      (globalThis as any).told = told;
      for (const name of ['uploaded', 'progress'])
        (globalThis as any).document.addEventListener(name, ({ type, detail }: any) =>
          told.push([type, detail.file.name, detail.uploaded?.id ?? detail.totalBytes]),
        );
    });
    const names = ['april.pdf', 'may.pdf', 'june.pdf', 'july.pdf'];
    await choose(
      page,
      names.map((name, index) => fileOf(name, 20_000 + index)),
    );
    await page.locator('cubby-upload li[data-state=completed]').nth(3).waitFor();
    const told = (await page.evaluate(() => (globalThis as any).told)) as Array<[string, string, unknown]>;
    for (const [index, name] of names.entries()) {
      expect(told).toContainEqual(['uploaded', name, `pub/${pages.demo.account.id}/demo/${name}`]);
      expect(told).toContainEqual(['progress', name, 20_000 + index]);
      expect(await row(page, name).innerText()).toContain('Uploaded, 19.5 KB');
    }
    // Files that end within a second share one sentence.
    await expect
      .poll(() => said(page), { timeout: 10_000 })
      .toMatch(/^([234] files are|(april|may|june|july)\.pdf is) uploaded\.$/);
    expect(await page.locator('#events').innerText()).toContain(
      `uploaded: april.pdf is pub/${pages.demo.account.id}/demo/april.pdf`,
    );
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
  });

  it('can be used with the keyboard alone, and never loses the focus', async () => {
    const { page } = await pages.opened();
    const letGo = pages.demo.hold();
    onTestFinished(letGo);
    const { chooser } = await nextChooser(page);
    const inElement = () =>
      page.evaluate(() => (globalThis as any).document.activeElement?.shadowRoot?.activeElement?.textContent ?? null);
    // On a busy machine the element may not exist yet, so the focus skips it.
    await expect
      .poll(
        async () => {
          await page.getByLabel('Public').focus();
          await page.keyboard.press('Tab');
          return inElement();
        },
        { timeout: 10_000, interval: 200 },
      )
      .toBe('Choose files');
    await page.keyboard.press('Enter');
    await (await chooser).setFiles([fileOf('film.mp4'), fileOf('april.pdf')]);
    await inState(page, 'film.mp4', 'uploading').waitFor();
    expect(await said(page)).toBe('2 files are added.');

    for (const next of ['Choose a folder', 'Pause all', 'Cancel all']) {
      await page.keyboard.press('Tab');
      expect(await inElement()).toBe(next);
    }
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Pause: film.mp4');
    await page.keyboard.press('Space');
    expect(await focused(page)).toBe('Resume: film.mp4');
    expect(await said(page)).toBe('film.mp4 is paused.');
    expect(await row(page, 'film.mp4').innerText()).toContain('Paused');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('Pause: film.mp4');
    expect(await said(page)).toBe('film.mp4 continues.');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Cancel: film.mp4');
    await page.keyboard.press('Enter');
    expect(await said(page)).toBe('film.mp4 is cancelled.');
    await row(page, 'film.mp4').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Cancel: april.pdf');
    letGo();
    await inState(page, 'april.pdf', 'completed').waitFor();
    await page.getByRole('button', { name: 'Remove from the list: april.pdf' }).focus();
    await page.keyboard.press('Enter');
    expect(await inElement()).toBe('Choose files');
  });

  it('keeps the click of a button that is pressed while other buttons come and go', async () => {
    const { page } = await pages.opened();
    onTestFinished(pages.demo.hold());
    await choose(page, fileOf('film.mp4'));
    await inState(page, 'film.mp4', 'uploading').waitFor();
    await page.getByRole('button', { name: 'Cancel: film.mp4' }).hover();
    await page.mouse.down();
    await page.locator('cubby-upload').evaluate((element: any) => element.pauseAll());
    await inState(page, 'film.mp4', 'paused').waitFor();
    await page.mouse.up();
    await row(page, 'film.mp4').waitFor({ state: 'detached' });
  });

  it('shows why a file failed, and retries it', async () => {
    const { page } = await pages.opened();
    await page.getByLabel('API key or upload token').fill('cbk_wrong');
    await choose(page, fileOf('again.pdf'));
    await inState(page, 'again.pdf', 'failed').waitFor();
    expect(await row(page, 'again.pdf').innerText()).toContain(
      'You have no permission to upload here, or no longer. Sign in again or reload the page.',
    );
    await expect
      .poll(() => said(page), { timeout: 10_000 })
      .toContain('again.pdf could not be uploaded. You have no permission to upload here');
    expect(await page.locator('#events').innerText()).toContain(
      'failed: again.pdf, ACCESS_DENIED: No valid credential',
    );
    await page.getByLabel('API key or upload token').fill(pages.demo.account.credential);
    await page.getByRole('button', { name: 'Try again: again.pdf' }).click();
    await inState(page, 'again.pdf', 'completed').waitFor();
  });

  it('keeps the files of the demo page private unless the person chooses otherwise', async () => {
    const { page } = await pages.opened({}, {});
    const { id } = pages.demo.account;
    await choose(page, fileOf('secret.pdf'));
    await inState(page, 'secret.pdf', 'completed').waitFor();
    await page.getByLabel('Public').check();
    await choose(page, fileOf('open.pdf'));
    await inState(page, 'open.pdf', 'completed').waitFor();
    const told = await page.locator('#events').innerText();
    expect(told).toMatch(new RegExp(`secret\\.pdf is prv/${id}/demo/secret_\\w+\\.pdf, private`));
    expect(told).toContain(`open.pdf is pub/${id}/demo/open.pdf, public: anybody with its address can read it`);
    await page.getByLabel('Public').uncheck();
    await choose(page, fileOf('hidden.pdf'));
    await inState(page, 'hidden.pdf', 'completed').waitFor();
    expect(await page.locator('#events').innerText()).toContain(`hidden.pdf is prv/${id}/`);
  });

  it('accepts dropped files of the allowed types', async () => {
    const { page } = await pages.opened();
    await page.locator('cubby-upload').evaluate((element: any) => {
      element.setAttribute('accept', '.pdf, image/*');
      const { DataTransfer, DragEvent, File } = globalThis as any;
      const transfer = new DataTransfer();
      for (const [name, type] of [
        ['dropped.pdf', ''],
        ['dropped.png', 'image/png'],
        ['dropped.txt', 'text/plain'],
      ])
        transfer.items.add(new File(['x'.repeat(600)], name, { type }));
      const zone = element.shadowRoot.querySelector('.drop');
      zone.dispatchEvent(new DragEvent('dragenter', { dataTransfer: transfer, cancelable: true, bubbles: true }));
      (globalThis as any).wasOver = zone.hasAttribute('data-over');
      zone.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
      (globalThis as any).isOver = zone.hasAttribute('data-over');
    });
    await page.locator('cubby-upload li[data-state=completed]').nth(1).waitFor();
    expect(await page.locator('cubby-upload li .name').allInnerTexts()).toEqual(['dropped.pdf', 'dropped.png']);
    expect(await page.evaluate(() => [(globalThis as any).wasOver, (globalThis as any).isOver])).toEqual([true, false]);
  });

  it('accepts one file without "multiple", none if disabled, and keeps properties set before definition', async () => {
    const { page } = await pages.opened();
    const names = await page.evaluate(async () => {
      const { document, File } = globalThis as any;
      const element = document.querySelector('cubby-upload');
      element.removeAttribute('multiple');
      const two = ['one.pdf', 'two.pdf'].map((name) => new File(['x'.repeat(600)], name));
      element.setAttribute('disabled', '');
      element.addFiles(two);
      const none = element.shadowRoot.querySelectorAll('li').length;
      element.removeAttribute('disabled');
      element.addFiles(two);
      // An element that was created from its tag before its class is defined.
      const early = document.createElement('cubby-early');
      Object.assign(early, {
        credential: 'cbk_early',
        query: { prefix: 'early' },
        texts: { choose: 'Dateien wählen' },
      });
      document.querySelector('main').append(early);
      (globalThis as any).customElements.define('cubby-early', class extends element.constructor {});
      const shadow = element.shadowRoot;
      return [
        none,
        shadow.querySelectorAll('li').length,
        shadow.querySelector('.said').textContent,
        early.credential,
        early.query.prefix,
        early.shadowRoot.querySelector('button').textContent,
        early.texts.cancel,
      ];
    });
    const leftOut = 'Not accepted (only one file is accepted here): two.pdf.';
    expect(names).toEqual([0, 1, `1 file is added. ${leftOut}`, 'cbk_early', 'early', 'Dateien wählen', 'Cancel']);
    expect(await page.locator('cubby-upload .note').innerText()).toBe(leftOut);
    expect(await findings(page)).toEqual([]);
  });

  it('gets its upload token from "token-url"', async () => {
    const { page } = await pages.opened();
    const body = JSON.stringify({ prefix: 'inbox', max_uses: 1, private: true });
    const minted = (
      await pages.demo.server.send('/v1/upload-tokens', {
        method: 'POST',
        credential: pages.demo.account.credential,
        body,
      })
    ).json();
    await page.route('**/my-token', (route) =>
      route.fulfill({ json: route.request().method() === 'POST' ? minted : {} }),
    );
    await page.locator('cubby-upload').evaluate((element: any) => {
      element.credential = undefined;
      element.removeAttribute('prefix');
      element.setAttribute('token-url', '/my-token');
    });
    await choose(page, fileOf('secret.pdf'));
    await inState(page, 'secret.pdf', 'completed').waitFor();
    expect(await page.locator('#events').innerText()).toMatch(
      new RegExp(`secret.pdf is prv/${pages.demo.account.id}/inbox/secret_[a-z0-9]{16}\\.pdf`),
    );
  });

  it('uploads to a server of another origin, which may also serve its modules', async () => {
    // The policy of the demo page allows its own server only.
    const { page, complaints } = await pages.opened({}, { bypassCSP: true });
    const other = pages.demo.server.running.urls.api.replace('localhost', '127.0.0.1');
    const { headers } = await pages.demo.server.send('/docs/modules/uploader/element/element.js', {
      headers: { Origin: 'https://app.example' },
    });
    expect([headers.get('access-control-allow-origin'), headers.get('content-type')]).toEqual([
      '*',
      'text/javascript; charset=utf-8',
    ]);
    await page.locator('cubby-upload').evaluate((element: any, baseUrl) => {
      element.setAttribute('base-url', baseUrl);
      element.options = { singleUpToBytes: 10_000 };
    }, other);
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(`${request.method()} ${new URL(request.url()).origin}`));
    await choose(page, [fileOf('there.pdf', 20_000), fileOf('small.pdf', 9000)]);
    await page.locator('cubby-upload li[data-state=completed]').nth(1).waitFor();
    expect(asked).toEqual(expect.arrayContaining([`POST ${other}`, `PUT ${other}`, `PATCH ${other}`]));
    expect(complaints).toEqual([]);
  });

  it('sends the key of the demo page only to its own server, and not from a frame of another page', async () => {
    const { page, complaints } = await pages.opened();
    const other = pages.demo.server.running.urls.api.replace('localhost', '127.0.0.1');
    await page.locator('cubby-upload').evaluate((element: any, baseUrl) => {
      element.setAttribute('base-url', baseUrl);
      element.options = { retry: { tries: 1 } };
    }, other);
    await choose(page, fileOf('there.pdf'));
    await inState(page, 'there.pdf', 'failed').waitFor();
    expect(complaints.join(' ')).toContain(
      'violates the following Content Security Policy directive: "connect-src \'self\'"',
    );
    const { headers } = await pages.demo.server.send('/docs/upload-demo');
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
  });

  it('pauses when it is removed from the page, and continues when it is added again', async () => {
    const { page } = await pages.opened();
    const letGo = pages.demo.hold();
    onTestFinished(letGo);
    await choose(
      page,
      ['moved.mp4', 'second.mp4', 'third.mp4'].map((name) => fileOf(name)),
    );
    await inState(page, 'moved.mp4', 'uploading').waitFor();
    const state = await page.evaluate(async () => {
      const { document } = globalThis as any;
      const element = document.querySelector('cubby-upload');
      const main = element.parentElement;
      main.append(element); // moved within the page: nothing happens
      await new Promise((resolve) => setTimeout(resolve));
      const moved = element.shadowRoot.querySelector('li').dataset.state;
      element.remove();
      await new Promise((resolve) => setTimeout(resolve));
      const removed = [...element.shadowRoot.querySelectorAll('li')].map(({ dataset }: any) => dataset.state);
      main.append(element);
      return [moved, ...removed];
    });
    expect(state).toEqual(['uploading', 'paused', 'paused', 'waiting']);
    letGo();
    await page.locator('cubby-upload li[data-state=completed]').nth(2).waitFor();
  });

  it('reports a file that was changed before its turn', async () => {
    const { page } = await pages.opened();
    const letGo = pages.demo.hold();
    onTestFinished(letGo);
    const files = await Promise.all(
      ['first.pdf', 'second.pdf', 'changed.pdf'].map((name) => generateFile(name, 20_000)),
    );
    await choose(
      page,
      files.map(({ path }) => path),
    );
    await inState(page, 'changed.pdf', 'waiting').waitFor();
    await writeFile(files[2]!.path, 'other bytes');
    letGo();
    await inState(page, 'changed.pdf', 'failed').waitFor();
    expect(await row(page, 'changed.pdf').innerText()).toContain('The file cannot be read.');
    expect(await page.locator('#events').innerText()).toContain('failed: changed.pdf, FILE_UNREADABLE');
  });

  const schemes = ['light', 'dark'] as const;
  /** In the dark only colours can differ. */
  const rulesOf = { light: undefined, dark: isLong ? undefined : ['color-contrast'] } as const;
  const prefer = (page: Page, colorScheme: 'light' | 'dark') =>
    preferred(page, { colorScheme, reducedMotion: 'reduce' });

  it('has no accessibility problems in light and in dark colours', async () => {
    const { page } = await pages.opened();
    for (const scheme of schemes) {
      await prefer(page, scheme);
      expect(await findings(page, rulesOf[scheme]), scheme).toEqual([]);
    }
  });

  it('has no accessibility problems in each of its states', async () => {
    const { page } = await pages.opened();
    const refused = { status: 'error', code: 'STORAGE_QUOTA_EXCEEDED', message: 'There is no room.' };
    await page.route('**/v1/objects?name=full*', (route) => route.fulfill({ status: 403, json: refused }));
    await choose(page, [fileOf('done.pdf'), fileOf('full.pdf'), fileOf('tiny.pdf', 10)]);
    await inState(page, 'full.pdf', 'failed').waitFor();
    await inState(page, 'done.pdf', 'completed').waitFor();
    const letGo = pages.demo.hold();
    onTestFinished(letGo);
    await choose(
      page,
      ['one.mp4', 'two.mp4', 'three.mp4'].map((name) => fileOf(name)),
    );
    await inState(page, 'one.mp4', 'uploading').waitFor();
    await page.getByRole('button', { name: 'Pause: one.mp4' }).click();
    expect(
      await page.locator('cubby-upload li').evaluateAll((rows) => rows.map((one: any) => one.dataset.state)),
    ).toEqual(['completed', 'failed', 'paused', 'uploading', 'uploading']);
    expect(await page.getByRole('progressbar', { name: 'Progress of two.mp4' }).count()).toBe(1);
    // In the colors of the demo, then in the element's own, which a page without such properties shows.
    for (const [scheme, own] of [
      ['light', 'rgb(243, 246, 250)'],
      ['dark', 'rgb(32, 40, 51)'],
    ] as const) {
      for (const isOwn of [false, true]) {
        await page.evaluate(
          (value) => {
            for (const name of ['ink', 'quiet', 'ground', 'raised', 'line', 'track', 'accent', 'on-accent'])
              (globalThis as any).document.documentElement.style.setProperty(`--cubby-${name}`, value);
          },
          isOwn ? 'initial' : '',
        );
        await prefer(page, scheme);
        expect(await findings(page, rulesOf[scheme]), scheme).toEqual([]);
        const [shown, ofPage] = await page.locator('cubby-upload').evaluate((element: any) => {
          const sample = element.ownerDocument.createElement('i');
          sample.style.background = 'var(--cubby-raised)';
          element.before(sample);
          const backgrounds = [element.shadowRoot.querySelector('.drop'), sample].map(
            (one) => (globalThis as any).getComputedStyle(one).backgroundColor as string,
          );
          sample.remove();
          return backgrounds;
        });
        expect(shown).toBe(isOwn ? own : ofPage);
        expect(shown === own).toBe(isOwn);
      }
    }
  });

  it('is covered by a check that finds problems inside of it', async () => {
    const { page } = await pages.opened();
    await page.locator('cubby-upload').evaluate(({ shadowRoot }: any) => {
      shadowRoot.querySelector('.choose').textContent = '';
      shadowRoot.adoptedStyleSheets[0].insertRule('.hint { color: #888 !important; background: #777 }', 0);
    });
    // Elements share the style sheet, so the next test would get the rule too.
    onTestFinished(() =>
      page.locator('cubby-upload').evaluate(({ shadowRoot }: any) => shadowRoot.adoptedStyleSheets[0].deleteRule(0)),
    );
    for (const scheme of schemes) {
      await prefer(page, scheme);
      const found = await findings(page, rulesOf[scheme]);
      expect(found.map((one) => one.split(':')[0]).sort(), scheme).toEqual(
        rulesOf[scheme] ?? ['button-name', 'color-contrast'],
      );
    }
  });

  it('shows the focus, and stays readable in forced colours', async () => {
    const { page } = await pages.opened();
    await preferred(page, { forcedColors: 'active' });
    await page.getByLabel('Public').focus();
    await page.keyboard.press('Tab');
    const outline = await page
      .locator('cubby-upload button.choose')
      .evaluate((button: any) => (globalThis as any).getComputedStyle(button).outlineWidth);
    expect(outline).toBe('3px');
    expect(await findings(page)).toEqual([]);
  });
});
