import { Component } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { ApiError } from '../../app/api-error.ts';
import { words } from '../../app/words.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import type { LogPart } from './log-buffer.ts';
import { useLog } from './use-log.ts';

/** The output of a deploy, as it is written. It scrolls along until the person scrolls up or pauses. */
export function DeployLog({
  appId,
  deployId,
  isOpen,
  onEnd,
}: {
  readonly appId: string;
  readonly deployId: string;
  readonly isOpen: boolean;
  readonly onEnd: () => void;
}) {
  const text = words().deploys;
  const [turn, setTurn] = useState(0);
  const [isFollowing, setFollowing] = useState(true);
  const [held, setHeld] = useState<readonly LogPart[]>();
  const log = useLog(appId, deployId, turn, onEnd);
  const frame = useRef<HTMLDivElement>(null);
  const parts = held ?? log.parts;
  useLayoutEffect(() => {
    if (isFollowing && !held) frame.current!.scrollTop = frame.current!.scrollHeight;
  }, [parts, isFollowing]);
  const isMissing = log.error instanceof ApiError && log.error.code === 'DEPLOYMENT_LOG_NOT_FOUND';
  return (
    <section class="card log-card">
      <header class="log-head">
        <h2>{text.output}</h2>
        <span class="quiet" role="status">
          {log.isLive && isOpen ? (held ? text.paused : text.live) : text.lines(formatNumber(log.lines))}
        </span>
        {log.isLive && isOpen && (
          <Button
            icon={held ? 'play' : 'pause'}
            onClick={() => {
              setHeld(held ? undefined : log.parts);
              setFollowing(true);
            }}
          >
            {held ? text.resume : text.pause}
          </Button>
        )}
        {!isFollowing && !held && (
          <Button icon="down" onClick={() => setFollowing(true)}>
            {text.toEnd}
          </Button>
        )}
      </header>
      {log.error !== undefined && !isMissing && <Problem error={log.error} onRetry={() => setTurn(turn + 1)} />}
      {log.dropped > 0 && <p class="hint">{text.dropped(formatNumber(log.dropped))}</p>}
      <div
        ref={frame}
        class="log"
        role="log"
        aria-live="off"
        aria-label={text.output}
        tabIndex={0}
        dir="ltr"
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setFollowing(scrollHeight - scrollTop - clientHeight < 24)
        }
      >
        {parts.map((part) => (
          <Part key={part.id} part={part} />
        ))}
        {parts.length === 0 && (
          <p class="log-empty">{isMissing ? text.noOutputKept : log.isLive ? text.waiting : text.noOutput}</p>
        )}
      </div>
    </section>
  );
}

/** Full parts stay as they are, so they are drawn once. */
class Part extends Component<{ readonly part: LogPart }> {
  override shouldComponentUpdate({ part }: { readonly part: LogPart }): boolean {
    return part !== this.props.part;
  }

  render() {
    return <pre>{this.props.part.text}</pre>;
  }
}
