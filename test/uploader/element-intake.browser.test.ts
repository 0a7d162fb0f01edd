import { describe, expect, it, onTestFinished } from 'vitest';

import { noChromium } from '#test/support/chromium.ts';
import { leastOfThree } from '#test/support/shortest.ts';
import { bring, choose, elementPages, fileOf, note, row } from './element-page.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(noChromium)(
  `the files that <cubby-upload> accepts${noChromium ? ` (skipped: ${noChromium})` : ''}`,
  () => {
    const pages = elementPages();
    const names = (page: Awaited<ReturnType<typeof pages.opened>>['page']) =>
      page.locator('cubby-upload .name').allInnerTexts();

    it('shows its limits before a file is chosen, and the reason for a rejection before anything is sent', async () => {
      const { page } = await pages.opened({
        accept: '.pdf',
        'max-size': '100KB',
        'min-size': '1 KB',
        'max-files': '2',
        'max-total-size': '150000',
      });
      const sent: string[] = [];
      page.on('request', (request) => void (request.url().includes('/v1/') && sent.push(request.url())));
      expect(await page.locator('cubby-upload .limits').innerText()).toBe(
        'at most 2 files, from 1 KB, up to 100 KB each, up to 146 KB in all',
      );
      const described = await page.getByRole('button', { name: 'Choose files' }).getAttribute('aria-describedby');
      expect(await page.locator(`cubby-upload #${described}`).count()).toBe(1);
      await page.evaluate(() => {
        const page = globalThis as any;
        page.refused = [];
        page.document.addEventListener('refused', ({ detail }: any) =>
          page.refused.push([detail.reason, ...detail.files.map(({ path }: any) => path)]),
        );
      });
      await choose(page, [
        fileOf('large.pdf', 102_401),
        fileOf('small.pdf', 1_023),
        fileOf('photo.png', 5_000, 'image/png'),
      ]);
      await expect
        .poll(() => note(page))
        .toBe(
          'Not accepted (larger than 100 KB): large.pdf. Not accepted (smaller than 1 KB): small.pdf. Not ' +
            'accepted (this type of file is not accepted here): photo.png.',
        );
      expect(await page.evaluate(() => (globalThis as any).refused)).toEqual([
        ['large', 'large.pdf'],
        ['small', 'small.pdf'],
        ['type', 'photo.png'],
      ]);
      expect(sent).toEqual([]);
      await choose(page, [
        fileOf('one.pdf', 80_000),
        fileOf('two.pdf', 80_000),
        fileOf('three.pdf', 20_000),
        fileOf('four.pdf', 20_000),
      ]);
      await expect
        .poll(() => note(page))
        .toBe(
          'Not accepted (more than 146 KB in all): two.pdf. Not accepted (at most 2 files are ' +
            'accepted here): four.pdf.',
        );
      expect(await names(page)).toEqual(['one.pdf', 'three.pdf']);
      // After a removal, another file can be added.
      await page.getByRole('button', { name: 'Remove from the list: one.pdf' }).click();
      await choose(page, [fileOf('five.pdf')]);
      await row(page, 'five.pdf').waitFor();
    });

    it('names five of many rejected files', async () => {
      const { page } = await pages.opened({ accept: '.pdf' });
      await choose(
        page,
        Array.from({ length: 40 }, (_, index) => fileOf(`${index}.txt`, 600, 'text/plain')),
      );
      await expect
        .poll(() => note(page))
        .toBe('Not accepted (this type of file is not accepted here): 0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 35 more.');
    });

    it('reports a malformed limit', async () => {
      const { page, complaints } = await pages.opened({ 'max-size': 'ten' });
      expect(complaints.join()).toContain(
        '<cubby-upload>: max-size="ten" is ignored. Write a number; a size may have a unit: "10MB".',
      );
      expect(await page.locator('cubby-upload .limits').innerText()).toBe('');
    });

    it('lets the page reject a file', async () => {
      const { page } = await pages.opened();
      await page
        .locator('cubby-upload')
        .evaluate((element: any) =>
          element.addEventListener(
            'adding',
            (event: any) => event.detail.file.name === 'no.pdf' && event.preventDefault(),
          ),
        );
      await choose(page, [fileOf('no.pdf'), fileOf('yes.pdf')]);
      await expect.poll(() => names(page)).toEqual(['yes.pdf']);
      expect(await note(page)).toBe('Not accepted (this page rejected it): no.pdf.');
    });

    it('replaces the last file by the next one where only one file is allowed', async () => {
      const { page } = await pages.opened({ multiple: null });
      for (const name of ['first.pdf', 'second.pdf']) {
        await choose(page, fileOf(name));
        await row(page, name).and(page.locator('[data-state=completed]')).waitFor();
        expect(await names(page)).toEqual([name]);
      }
      // A rejected file replaces none.
      await choose(page, fileOf('tiny.pdf', 10));
      expect(await note(page)).toBe('Not accepted (smaller than 512 B): tiny.pdf.');
      expect(await names(page)).toEqual(['second.pdf']);
    });

    it('accepts pasted files while it has the focus, and names nameless pictures', async () => {
      const { page } = await pages.opened({ paste: null });
      expect(await bring(page, 'paste', 'body', [['image.png', 'image/png']])).toBe(false);
      expect(
        await bring(page, 'paste', '.choose', [
          ['image.png', 'image/png'],
          ['image.png', 'image/png'],
          ['plan.pdf', ''],
        ]),
      ).toBe(true);
      await expect.poll(() => names(page)).toHaveLength(3);
      const [one, two, plan] = await names(page);
      expect(one).toMatch(/^pasted-\d{4}-\d\d-\d\d-\d{6}\.png$/);
      expect([two, plan]).toEqual([one!.replace('.png', '-2.png'), 'plan.pdf']);
    });

    it('accepts files pasted anywhere in the page if an attribute says so, except into a field', async () => {
      const { page } = await pages.opened({ paste: 'page' });
      expect(await bring(page, 'paste', '#prefix', [['plan.pdf', '']])).toBe(false);
      expect(await bring(page, 'paste', 'body', [['plan.pdf', '']])).toBe(true);
      await row(page, 'plan.pdf').waitFor();
      expect(await bring(page, 'paste', 'body', [])).toBe(false);
      await page.locator('cubby-upload').evaluate((element: any) => element.setAttribute('paste', 'off'));
      expect(await bring(page, 'paste', '.choose', [['other.pdf', '']])).toBe(false);
      expect(await names(page)).toEqual(['plan.pdf']);
    });

    it('accepts files dropped anywhere in the page if an attribute says so, and accepts them once', async () => {
      const { page } = await pages.opened({ drop: 'page' });
      expect(await bring(page, 'drop', 'body', [['beside.pdf', '']])).toBe(true);
      expect(await bring(page, 'drop', '.drop', [['within.pdf', '']])).toBe(true);
      await expect.poll(() => names(page)).toEqual(['beside.pdf', 'within.pdf']);
    });

    it('does not flicker while files are dragged over its parts', async () => {
      const { page } = await pages.opened();
      const isOver = await page.locator('cubby-upload').evaluate((element: any) => {
        const { DataTransfer, DragEvent, File } = globalThis as any;
        const zone = element.shadowRoot.querySelector('.drop');
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['x'], 'x.pdf'));
        const fire = (name: string, target: any, relatedTarget: any) =>
          target.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true, relatedTarget }));
        const seen = [];
        fire('dragenter', zone, null);
        fire('dragleave', zone, zone.querySelector('button'));
        seen.push(zone.hasAttribute('data-over'));
        fire('dragleave', zone, null);
        return [...seen, zone.hasAttribute('data-over')];
      });
      expect(isOver).toEqual([true, false]);
    });

    it('shows a thumbnail of an image, not of other files with an image name, without object URLs', async () => {
      const { page, complaints } = await pages.opened();
      await page.evaluate(() => {
        const page = globalThis as any;
        page.createObjectURL = page.URL.createObjectURL;
        page.URL.createObjectURL = () => {
          throw new Error('an address was made');
        };
      });
      onTestFinished(() =>
        page.evaluate(() => void ((globalThis as any).URL.createObjectURL = (globalThis as any).createObjectURL)),
      );
      const image = Buffer.concat([png, Buffer.alloc(600)]);
      await choose(page, [
        { name: 'photo.png', mimeType: 'image/png', buffer: image },
        fileOf('broken.png', 700, 'image/png'),
        fileOf('plan.pdf'),
      ]);
      await row(page, 'photo.png').locator('canvas').waitFor();
      const drawn = await row(page, 'photo.png')
        .locator('canvas')
        .evaluate((canvas: any) => [
          canvas.width,
          canvas.getContext('2d').getImageData(40, 40, 1, 1).data[3] > 0,
          canvas.getAttribute('aria-hidden'),
        ]);
      expect(drawn).toEqual([80, true, 'true']);
      expect(await row(page, 'broken.png').locator('canvas').isHidden()).toBe(true);
      await page.locator('cubby-upload').evaluate((element: any) => element.setAttribute('pictures', 'off'));
      await choose(page, [{ name: 'other.png', mimeType: 'image/png', buffer: image }]);
      await row(page, 'other.png').waitFor();
      expect(await row(page, 'other.png').locator('canvas').count()).toBe(0);
      expect(complaints).toEqual([]);
    });

    it('decodes a big image at a small size, without blocking the page', async () => {
      const { page } = await pages.opened({ manual: '' });
      const decode = async (element: any) => {
        const page = globalThis as any;
        const canvas = new page.OffscreenCanvas(6_000, 4_000);
        const paint = canvas.getContext('2d');
        for (let at = 0; at < 600; at++) {
          paint.fillStyle = `hsl(${at * 7} 80% 50%)`;
          paint.fillRect((at % 30) * 200, Math.floor(at / 30) * 200, 200, 200);
        }
        const name = `big-${element.totals.files}.jpg`;
        const file = new page.File([await canvas.convertToBlob({ type: 'image/jpeg' })], name, {
          type: 'image/jpeg',
        });
        let most = 0;
        let last = page.performance.now();
        let isOver = false;
        const tick = () => {
          most = Math.max(most, page.performance.now() - last);
          last = page.performance.now();
          if (!isOver) page.setTimeout(tick);
        };
        tick();
        element.addFiles([file]);
        const picture = element.shadowRoot.querySelector('li:last-child canvas');
        while (picture.hidden) await new Promise((resolve) => page.setTimeout(resolve, 5));
        isOver = true;
        return most;
      };
      const longest = await leastOfThree(1_000, () => page.locator('cubby-upload').evaluate(decode));
      // Decoding 24 million pixels takes several times as long.
      expect(longest).toBeLessThan(1_000);
    });
  },
);
