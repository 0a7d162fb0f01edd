import { useEffect, useRef, useState } from 'preact/hooks';

import { isAborted } from '../../app/api-error.ts';
import { askModel, type Answer } from './ask-model.ts';
import { requestOf, type Settings, type Turn } from './conversation.ts';
import { silence, type Heard } from './stream.ts';

/** What was said, and what goes on. */
interface State {
  readonly turns: readonly Turn[];
  readonly running?: Heard;
  readonly answer?: Answer;
  readonly request?: unknown;
  readonly error?: unknown;
}

/** A conversation with a model. */
export interface Talk extends State {
  /** How many answers or failures there were. */
  readonly round: number;
  run(turns: readonly Turn[]): void;
  stop(): void;
  clear(): void;
}

/** Holds a conversation, which ends when the component goes away. */
export function useTalk(settings: Settings): Talk {
  const [state, setState] = useState<State>({ turns: [] });
  const [round, setRound] = useState(0);
  const control = useRef<AbortController>(undefined);
  useEffect(() => () => control.current?.abort(), []);
  const run = async (turns: readonly Turn[]) => {
    const own = (control.current = new AbortController());
    const request = requestOf(settings, turns);
    const begun: State = { turns, request };
    setState({ ...begun, running: silence });
    try {
      const answer = await askModel(request, own.signal, (running) => setState({ ...begun, running }));
      const { text, calls } = answer.heard;
      setState({ request, answer, turns: [...turns, { role: 'assistant', text, calls }] });
    } catch (error) {
      setState({ ...begun, ...(!isAborted(error) && { error }) });
    }
    setRound((before) => before + 1);
  };
  return {
    ...state,
    round,
    run: (turns) => void run(turns),
    stop: () => control.current?.abort(),
    clear: () => setState({ turns: [] }),
  };
}
