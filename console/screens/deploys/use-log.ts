import { useEffect, useRef, useState } from 'preact/hooks';

import { getDeploymentLogs } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { LogBuffer, type LogPart } from './log-buffer.ts';
import { plainLine } from './plain-line.ts';

interface FollowedLog {
  readonly parts: readonly LogPart[];
  readonly lines: number;
  readonly dropped: number;
  /** Whether the deploy may still write. */
  readonly isLive: boolean;
  readonly error: unknown;
}

/** Lines that arrive together are shown together, this often. */
const drawEveryMs = 150;

/** Follows the output of a deploy until it ends. The browser connects again by itself after a pause. */
export function useLog(appId: string, deployId: string, turn: number, onEnd: () => void): FollowedLog {
  const nothing: FollowedLog = { parts: [], lines: 0, dropped: 0, isLive: true, error: undefined };
  const [shown, setShown] = useState<FollowedLog>(nothing);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  useEffect(() => {
    const control = new AbortController();
    const buffer = new LogBuffer();
    let waiting: string[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (change: Partial<FollowedLog> = {}) => {
      clearTimeout(timer);
      timer = undefined;
      buffer.add(waiting);
      waiting = [];
      setShown((before) => ({
        ...before,
        parts: [...buffer.parts],
        lines: buffer.lines,
        dropped: buffer.dropped,
        ...change,
      }));
    };
    setShown(nothing);
    const path = `/v2/apps/${encodeURIComponent(appId)}/deployments/${encodeURIComponent(deployId)}/logs`;
    const source = new EventSource(path);
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      waiting.push(plainLine((JSON.parse(data) as { readonly line: string }).line));
      timer ??= setTimeout(draw, drawEveryMs);
    });
    source.addEventListener('end', () => {
      source.close();
      draw({ isLive: false });
      ended.current();
    });
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return;
      // The stream does not say why it was refused. A page of the same output does.
      const query = { limit: 1 };
      ask(getDeploymentLogs({ path: { app_id: appId, id: deployId }, query, signal: control.signal })).then(
        () => draw({ isLive: false, error: new Error('The stream was refused.') }),
        (error: unknown) => !control.signal.aborted && draw({ isLive: false, error }),
      );
    });
    return () => {
      control.abort();
      source.close();
      clearTimeout(timer);
    };
  }, [appId, deployId, turn]);
  return shown;
}
