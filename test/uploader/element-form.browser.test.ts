import { describe, expect, it, onTestFinished } from 'vitest';

import { noChromium } from '#test/support/chromium.ts';
import { actionsOf, choose, elementPages, fileOf, inState, said } from './element-page.ts';

describe.skipIf(noChromium)(
  `<cubby-upload> in a form, and its list as a whole${noChromium ? ` (skipped: ${noChromium})` : ''}`,
  () => {
    const pages = elementPages();
    const element = (page: Awaited<ReturnType<typeof pages.opened>>['page']) => page.locator('cubby-upload');

    /** Moves the element into the page's form, as its field "files". */
    async function inForm(attributes: Readonly<Record<string, string | null>> = {}) {
      const open = await pages.opened({ name: 'files', ...attributes });
      await open.page.evaluate(() => {
        const { document } = globalThis as any;
        const form = document.createElement('form');
        form.innerHTML =
          '<label for="files">Your papers</label><fieldset></fieldset><button type="reset">Start ' +
          'again</button><button>Send</button>';
        document.querySelector('main').append(form);
        const upload = document.querySelector('cubby-upload');
        upload.id = 'files';
        form.querySelector('fieldset').append(upload);
        (globalThis as any).sent = [];
        form.addEventListener('submit', (event: any) => {
          event.preventDefault();
          (globalThis as any).sent.push(new (globalThis as any).FormData(form).getAll('files'));
        });
      });
      return open;
    }
    const sent = (page: Awaited<ReturnType<typeof pages.opened>>['page']) =>
      page.evaluate(() => (globalThis as any).sent);

    it('is a field with the ids of the stored files as its value', async () => {
      const { page } = await inForm({ required: '' });
      const send = page.getByRole('button', { name: 'Send' });
      await send.click();
      expect(await sent(page)).toEqual([]);
      expect(
        await element(page).evaluate((one: any) => [
          one.validity.valueMissing,
          one.validationMessage,
          one.checkValidity(),
          one.form !== null,
          one.name,
          one.type,
        ]),
      ).toEqual([true, 'Choose a file.', false, true, 'files', 'cubby-upload']);
      // The browser reports the element, and focuses it.
      expect(await page.evaluate(() => (globalThis as any).document.activeElement.localName)).toBe('cubby-upload');

      const letGo = pages.demo.hold();
      onTestFinished(letGo);
      await choose(page, [fileOf('april.pdf'), fileOf('may.pdf')]);
      await inState(page, 'april.pdf', 'uploading').waitFor();
      await send.click();
      expect(await sent(page)).toEqual([]);
      expect(await element(page).evaluate((one: any) => one.validationMessage)).toBe(
        'Wait until the files are uploaded.',
      );
      letGo();
      await element(page).locator('li[data-state=completed]').nth(1).waitFor();
      await send.click();
      const at = `pub/${pages.demo.account.id}/demo`;
      expect(await sent(page)).toEqual([[`${at}/april.pdf`, `${at}/may.pdf`]]);

      // A file that is removed from the list is not sent.
      await page.getByRole('button', { name: 'Remove from the list: april.pdf' }).click();
      await send.click();
      expect((await sent(page))[1]).toEqual([`${at}/may.pdf`]);
      await page.getByRole('button', { name: 'Start again' }).click();
      expect(await element(page).locator('li').count()).toBe(0);
      expect(await element(page).evaluate((one: any) => one.validity.valueMissing)).toBe(true);
    });

    it('is disabled with its fieldset', async () => {
      const { page } = await inForm();
      await page.evaluate(() => void ((globalThis as any).document.querySelector('fieldset').disabled = true));
      expect(await page.getByRole('button', { name: 'Choose files' }).isDisabled()).toBe(true);
      await element(page).evaluate((one: any) =>
        one.addFiles([new (globalThis as any).File(['x'.repeat(600)], 'a.pdf')]),
      );
      expect(await element(page).locator('li').count()).toBe(0);
      await page.evaluate(() => void ((globalThis as any).document.querySelector('fieldset').disabled = false));
      expect(await page.getByRole('button', { name: 'Choose files' }).isDisabled()).toBe(false);
    });

    it('starts on request with "manual"', async () => {
      const { page } = await pages.opened({ manual: '' });
      await choose(page, [fileOf('april.pdf')]);
      await inState(page, 'april.pdf', 'waiting').waitFor();
      expect(await said(page)).toBe('1 file is added.');
      await page.getByRole('button', { name: 'Upload', exact: true }).click();
      await inState(page, 'april.pdf', 'completed').waitFor();
      await choose(page, [fileOf('may.pdf')]);
      await inState(page, 'may.pdf', 'waiting').waitFor();
      await element(page).evaluate((one: any) => one.start());
      await inState(page, 'may.pdf', 'completed').waitFor();
    });

    it('shows the progress of all files and the time left; pauses, resumes, cancels and clears all', async () => {
      const { page } = await pages.opened();
      await page.evaluate(() => {
        const page = globalThis as any;
        page.told = [];
        for (const name of ['totalprogress', 'finished', 'removed'])
          page.document.addEventListener(name, ({ type, detail }: any) => page.told.push([type, detail]));
      });
      const letGo = pages.demo.hold();
      onTestFinished(letGo);
      await choose(
        page,
        ['a', 'b', 'c', 'd'].map((name) => fileOf(`${name}.pdf`, 262_144)),
      );
      await inState(page, 'd.pdf', 'waiting').waitFor();
      const total = page.locator('cubby-upload .total-status');
      await expect.poll(() => total.innerText()).toMatch(/^0 of 4 files · [\d.]+ (B|KB|MB) of 1 MB, \d+ %/);
      expect(await page.getByRole('progressbar', { name: 'All files' }).count()).toBe(1);
      await page.getByRole('button', { name: 'Pause all' }).click();
      expect(await said(page)).toBe('All uploads are paused.');
      letGo();
      // Running uploads complete, and the others do not start.
      await expect.poll(() => total.innerText(), { timeout: 10_000 }).toContain('2 of 4 files');
      expect(
        await element(page)
          .locator('li')
          .evaluateAll((rows) => rows.map((one: any) => one.dataset.state)),
      ).toEqual(['completed', 'completed', 'waiting', 'waiting']);
      const hold = pages.demo.hold();
      onTestFinished(hold);
      await page.getByRole('button', { name: 'Resume all' }).click();
      await inState(page, 'c.pdf', 'uploading').waitFor();
      await page.getByRole('button', { name: 'Cancel all' }).click();
      await expect.poll(() => element(page).locator('li').count()).toBe(2);
      hold();
      await page.getByRole('button', { name: 'Clear the list' }).click();
      expect(await element(page).locator('li').count()).toBe(0);
      // The focus is not lost with the button.
      expect(
        await page.evaluate(() => (globalThis as any).document.activeElement.shadowRoot.activeElement.textContent),
      ).toBe('Choose files');
      const told = (await page.evaluate(() => (globalThis as any).told)) as Array<[string, any]>;
      expect(
        told.filter(([name]) => name === 'finished').map(([, detail]) => [detail.files, detail.completedFiles]),
      ).toEqual([[2, 2]]);
      expect(told.filter(([name]) => name === 'removed')).toHaveLength(4);
      expect(told.find(([name]) => name === 'totalprogress')![1]).toMatchObject({
        files: 4,
        totalBytes: 4 * 262_144,
      });
    });

    it.each([
      ['STORAGE_QUOTA_EXCEEDED', 403, 'There is no space left for this file.'],
      ['FILE_TYPE_NOT_ALLOWED', 400, 'This type of file is not accepted here.'],
      ['FILE_TOO_LARGE', 413, 'The file is larger than allowed here.'],
      ['UPLOAD_TOKEN_USED', 401, 'This permission allows no more files.'],
      ['OBJECT_ALREADY_EXISTS', 409, 'There is a file with this name already.'],
    ])('offers no retry after %s, and gives a useful explanation', async (code, status, words) => {
      const { page } = await pages.opened();
      await page.route('**/v1/objects?*', (route) =>
        route.fulfill({ status, json: { status: 'error', code, message: `About ${code}.` } }),
      );
      await choose(page, [fileOf('a.pdf')]);
      await inState(page, 'a.pdf', 'failed').waitFor();
      expect(await actionsOf(page, 'a.pdf')).toEqual(['Remove from the list']);
      const shown = await inState(page, 'a.pdf', 'failed').innerText();
      expect(shown).toContain(words);
      expect(shown).not.toContain(code);
    });

    it('retries all files for which a retry may help', async () => {
      const { page } = await pages.opened();
      await element(page).evaluate((one: any) => void (one.options = { retry: { tries: 1 } }));
      let isBusy = true;
      await page.route('**/v1/objects?*', (route) => {
        if (!isBusy) return route.continue();
        const isFull = route.request().url().includes('name=full');
        return route.fulfill({
          status: isFull ? 403 : 503,
          json: { status: 'error', code: isFull ? 'STORAGE_QUOTA_EXCEEDED' : 'INTERNAL_SERVER_ERROR' },
        });
      });
      await choose(page, [fileOf('full.pdf'), fileOf('busy.pdf')]);
      await inState(page, 'full.pdf', 'failed').waitFor();
      await inState(page, 'busy.pdf', 'failed').waitFor();
      isBusy = false;
      await page.getByRole('button', { name: 'Try all again' }).click();
      await inState(page, 'busy.pdf', 'completed').waitFor();
      expect(await inState(page, 'full.pdf', 'failed').count()).toBe(1);
    });

    it('offers no retry when a fixed token is refused', async () => {
      const { page } = await pages.opened();
      await element(page).evaluate((one: any) => void (one.credential = 'cbup_wrong'));
      await choose(page, [fileOf('a.pdf')]);
      await inState(page, 'a.pdf', 'failed').waitFor();
      expect(await actionsOf(page, 'a.pdf')).toEqual(['Remove from the list']);
    });

    it('asks before the user leaves the page with running uploads, if an attribute says so', async () => {
      const { page } = await pages.opened({ 'confirm-leave': '' });
      const leave = () =>
        page.evaluate(() => {
          const event = new (globalThis as any).Event('beforeunload', { cancelable: true });
          (globalThis as any).dispatchEvent(event);
          return event.defaultPrevented;
        });
      expect(await leave()).toBe(false);
      const letGo = pages.demo.hold();
      onTestFinished(letGo);
      await choose(page, [fileOf('a.pdf')]);
      await inState(page, 'a.pdf', 'uploading').waitFor();
      expect(await leave()).toBe(true);
      letGo();
      await inState(page, 'a.pdf', 'completed').waitFor();
      expect(await leave()).toBe(false);
    });

    it.each([
      ['pt-BR', 'Escolher arquivos', 'Enviado, 19,5 KB'],
      ['es', 'Elegir archivos', 'Subido, 19,5 KB'],
      ['de', 'Choose files', 'Uploaded, 19.5 KB'],
    ])('uses the language of the page: %s', async (lang, button, done) => {
      const { page } = await pages.opened({ lang });
      expect(await element(page).locator('button.choose').innerText()).toBe(button);
      await choose(page, [fileOf('a.pdf')]);
      await inState(page, 'a.pdf', 'completed').waitFor();
      expect(await inState(page, 'a.pdf', 'completed').innerText()).toContain(done);
    });

    it('supports right-to-left layout, and fits into a narrow page', async () => {
      const { page } = await pages.opened({ dir: 'rtl' });
      const letGo = pages.demo.hold();
      onTestFinished(letGo);
      await choose(page, [
        fileOf('b.pdf'),
        fileOf('a-very-long-name-of-a-file-that-does-not-fit-in-any-line-of-a-phone.pdf'),
      ]);
      await inState(page, 'b.pdf', 'uploading').waitFor();
      const box = async (selector: string) =>
        (await page.locator(`cubby-upload li:last-child ${selector}`).boundingBox())!;
      expect((await box('.actions')).x).toBeLessThan((await box('.about')).x);
      const wide = page.viewportSize()!;
      onTestFinished(() => page.setViewportSize(wide));
      await page.setViewportSize({ width: 320, height: 640 });
      for (const selector of ['.about', '.actions', 'progress']) {
        const { x, width } = await box(selector);
        expect([x >= 0, x + width <= 320], `${selector} from ${x} to ${x + width}`).toEqual([true, true]);
      }
      letGo();
    });
  },
);
