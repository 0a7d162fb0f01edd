import { join } from 'node:path';

import { TaskProcesses, TaskTooCostly } from '#server/backends/task-process.ts';
import { ImageRefused, type ImageRenderer } from '../image-ports.ts';
import type { FromRenderer, RenderTask } from './messages.ts';

/** The limits of one variant. Beyond the last two, its process is killed. */
export const renderLimits = {
  mostPixels: 50_000_000,
  mostMemoryBytes: 512 * 2 ** 20,
  timeoutMs: 10_000,
};

type Limits = Readonly<typeof renderLimits>;

/** A renderer with processes. */
interface ImageProcesses extends ImageRenderer {
  /** Kills all processes. What they were doing rejects. */
  close(): void;
}

/** Makes each variant in a process of its own. */
export function imageProcesses(limits: Limits = renderLimits): ImageProcesses {
  const program = join(import.meta.dirname, 'main.js');
  const processes = new TaskProcesses<FromRenderer>(program, limits);
  return {
    async render(source, rendering, keep) {
      const about: RenderTask = { rendering, sourceBytes: source.sizeBytes, ...limits };
      try {
        return await processes.run({ about, input: await source.open() }, async (message, bytes) => {
          if (message.type === 'refused') throw new ImageRefused(message.reason);
          return keep({ ...message, bytes });
        });
      } catch (error) {
        throw error instanceof TaskTooCostly ? new ImageRefused('too-costly') : error;
      }
    },
    close: () => processes.close(),
  };
}
