import { Worker } from 'node:worker_threads';

import { beginTask, readInput, tell } from '#server/backends/task-child.ts';
import { isPdf } from '../../file-texts/decode-text.ts';
import type { PdfRefused } from '../../file-texts/pdf-reader.ts';
import type { FromPdfProcess, PdfTask } from './messages.ts';

/** How often the process looks at its own memory. */
const watchEveryMs = 20;

/** Reads the text of the PDF that comes over the input. */
export async function readOnce({ sourceBytes, mostTextBytes, mostMemoryBytes }: PdfTask): Promise<void> {
  beginTask();
  watchMemory(mostMemoryBytes);
  const bytes = await readInput(sourceBytes);
  if (!isPdf(bytes)) return refuse('no-pdf');
  const text = Buffer.from(await textOf(bytes, mostTextBytes));
  // The text of a small PDF may be ready before the memory was looked at once.
  if (process.memoryUsage.rss() > mostMemoryBytes) process.kill(process.pid, 'SIGKILL');
  await say({ type: 'read', sizeBytes: text.length });
  // The server ends this process once it has read them. Node throws away what it has not read from one that has ended.
  process.stdout.write(text);
}

/** The package works on this thread, so a timer here would fire late. */
function watchMemory(mostBytes: number): void {
  const code = `setInterval(() => {
    if (process.memoryUsage.rss() > ${mostBytes}) process.kill(process.pid, 'SIGKILL');
  }, ${watchEveryMs});`;
  new Worker(code, { eval: true }).unref();
}

async function textOf(bytes: Uint8Array, mostBytes: number): Promise<string> {
  const { getDocumentProxy } = await import('unpdf').catch(() => refuse('no-reader'));
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    const pages: string[] = [];
    let sizeBytes = 0;
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      page.cleanup();
      // A text has no NUL, as in other files.
      const shown = text.replaceAll('\0', '').trim();
      if (shown !== '') pages.push(shown);
      sizeBytes += Buffer.byteLength(shown) + 2;
      if (sizeBytes > mostBytes) return await refuse('too-long');
    }
    return pages.length === 0 ? await refuse('without-text') : pages.join('\n\n');
  } catch (error) {
    return refuse(error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'unreadable');
  }
}

async function refuse(reason: PdfRefused['reason']): Promise<never> {
  await say({ type: 'refused', reason });
  process.exit();
}

const say = (message: FromPdfProcess) => tell(message);
