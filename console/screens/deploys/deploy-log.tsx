import { Component } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { ApiError } from '../../app/api-error.ts';
import { messages } from '../../app/messages.ts';
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
  const text = messages().deploys;
  const [turn, setTurn] = useState(0);
  const [isFollowing, setFollowing] = useState(true);
  const [pausedParts, setPausedParts] = useState<readonly LogPart[]>();
  const log = useLog(appId, deployId, turn, onEnd);
  const frame = useRef<HTMLDivElement>(null);
  const parts = pausedParts ?? log.parts;
  useLayoutEffect(() => {
    if (isFollowing && !pausedParts) frame.current!.scrollTop = frame.current!.scrollHeight;
  }, [parts, isFollowing]);
  const isMissing = log.error instanceof ApiError && log.error.code === 'DEPLOYMENT_LOG_NOT_FOUND';
  return (
    <section class="card log-card">
      <LogHead
        lines={log.lines}
        isLive={log.isLive && isOpen}
        isPaused={pausedParts !== undefined}
        isFollowing={isFollowing}
        onHold={(isPaused) => {
          setPausedParts(isPaused ? log.parts : undefined);
          setFollowing(true);
        }}
        onFollow={() => setFollowing(true)}
      />
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

/** How the log goes on, with buttons that hold it and go to its end. */
function LogHead({
  lines,
  isLive,
  isPaused,
  isFollowing,
  onHold,
  onFollow,
}: {
  readonly lines: number;
  readonly isLive: boolean;
  readonly isPaused: boolean;
  readonly isFollowing: boolean;
  readonly onHold: (isPaused: boolean) => void;
  readonly onFollow: () => void;
}) {
  const text = messages().deploys;
  return (
    <header class="log-head">
      <h2>{text.output}</h2>
      <span class="quiet" role="status">
        {isLive ? (isPaused ? text.paused : text.live) : text.lines(formatNumber(lines))}
      </span>
      {isLive && (
        <Button icon={isPaused ? 'play' : 'pause'} onClick={() => onHold(!isPaused)}>
          {isPaused ? text.resume : text.pause}
        </Button>
      )}
      {!isFollowing && !isPaused && (
        <Button icon="down" onClick={onFollow}>
          {text.toEnd}
        </Button>
      )}
    </header>
  );
}
