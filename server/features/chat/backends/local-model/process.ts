/** The process of a local model. It loads the given file and answers the server's messages, one turn at a time. */
import { availableParallelism } from 'node:os';

import type { ChatTurn, FinishReason } from '../../conversation/conversation.ts';
import { historyOf } from './history.ts';
import type { Generated, GenerateOptions, Llama, LlamaPackage } from './llama.ts';
import type { FromProcess, LocalAnswer, ToProcess } from './messages.ts';

/** The longest context of any plan, with the longest answer. A machine with less memory gets a smaller context. */
const mostContextTokens = 40_960;

class TooLong extends Error {}

type Answer = (turn: ChatTurn, signal: AbortSignal) => Promise<LocalAnswer>;

const [file = ''] = process.argv.slice(2);
const underWay = new Map<number, AbortController>();

// The server has ended.
process.on('disconnect', () => process.exit());

const { answer, contextTokens } = await open(await load()).catch((error: unknown) => stop('no-model', error));
process.on('message', (message: ToProcess) => {
  if (message.type === 'ask') void run(message.id, message.turn);
  else underWay.get(message.id)?.abort();
});
tell({ type: 'ready', contextTokens });

function tell(message: FromProcess, then: () => void = () => {}): void {
  process.send!(message, then);
}

function stop(reason: 'no-package' | 'no-model', error: unknown): Promise<never> {
  return new Promise(() =>
    tell(
      {
        type: 'not-started',
        reason,
        message: error instanceof Error ? error.message.slice(0, 200) : 'no reason given',
      },
      () => process.exit(1),
    ),
  );
}

async function load(): Promise<LlamaPackage> {
  const name: string = 'node-llama-cpp';
  // The package may also be installed, but not for this machine.
  const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
  return (await import(name).catch((error: unknown) =>
    stop(isMissing(error) ? 'no-package' : 'no-model', error),
  )) as LlamaPackage;
}

async function open({
  getLlama,
  LlamaChat,
}: LlamaPackage): Promise<{ readonly answer: Answer; readonly contextTokens: number }> {
  // The server needs a core of its own. The model's threads busy-wait for one another, which is slow with more threads
  // than cores.
  const maxThreads = Math.max(1, availableParallelism() - 1);
  // It must neither compile nor download anything.
  const llama = await getLlama({
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: 'disabled',
    maxThreads,
  });
  const model = await llama.loadModel({ modelPath: file });
  const context = await model.createContext({ contextSize: { max: mostContextTokens } });
  const sequence = context.getSequence();
  const chat = new LlamaChat({ contextSequence: sequence });
  async function answer(turn: ChatTurn, signal: AbortSignal): Promise<LocalAnswer> {
    // Otherwise the library silently drops the beginning of a longer conversation.
    const needed = model.tokenize(
      JSON.stringify([turn.messages.map(({ content }) => content), turn.tools ?? []]),
    ).length;
    if (needed + turn.maxOutputTokens > context.contextSize) throw new TooLong();
    // The previous turn may belong to another account.
    await sequence.clearHistory();
    const before = sequence.tokenMeter.getState();
    const generated = await chat.generateResponse(historyOf(turn.messages), await optionsOf(llama, turn, signal));
    const after = sequence.tokenMeter.getState();
    const usage = {
      inputTokens: after.usedInputTokens - before.usedInputTokens,
      outputTokens: after.usedOutputTokens - before.usedOutputTokens,
    };
    return { ...messageOf(generated), usage };
  }
  return { answer, contextTokens: context.contextSize };
}

async function optionsOf(llama: Llama, turn: ChatTurn, signal: AbortSignal): Promise<GenerateOptions> {
  const { temperature, topP, seed, stop = [], presencePenalty = 0, frequencyPenalty = 0 } = turn;
  return {
    maxTokens: turn.maxOutputTokens,
    signal,
    temperature: temperature ?? 0.8,
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(stop.length > 0 && { customStopTriggers: stop }),
    ...((presencePenalty !== 0 || frequencyPenalty !== 0) && { repeatPenalty: { presencePenalty, frequencyPenalty } }),
    ...(await formOf(llama, turn)),
  };
}

type Form = Pick<GenerateOptions, 'functions' | 'grammar' | 'maxParallelFunctionCalls'>;

/** A request can have a grammar or functions, but not both. */
async function formOf(
  llama: Llama,
  { tools = [], toolChoice, parallelToolCalls, responseFormat: format }: ChatTurn,
): Promise<Form> {
  const offered =
    toolChoice === 'none'
      ? []
      : typeof toolChoice === 'object'
        ? tools.filter(({ name }) => name === toolChoice.name)
        : tools;
  if (offered.length > 0) {
    const functions = offered.map(({ name, description, parameters }) => [
      name,
      { ...(description !== undefined && { description }), ...(parameters && { params: parameters }) },
    ]);
    return {
      functions: Object.fromEntries(functions),
      ...(parallelToolCalls === false && { maxParallelFunctionCalls: 1 }),
    };
  }
  if (format?.type === 'json_object') return { grammar: await llama.getGrammarFor('json') };
  if (format?.type === 'json_schema')
    return {
      grammar: await (format.schema ? llama.createGrammarForJsonSchema(format.schema) : llama.getGrammarFor('json')),
    };
  return {};
}

function messageOf({ response, functionCalls = [], metadata }: Generated): Omit<LocalAnswer, 'usage'> {
  const toolCalls = functionCalls.map(({ functionName, params }) => ({
    name: functionName,
    arguments: JSON.stringify(params ?? {}),
  }));
  if (toolCalls.length > 0) return { text: response || null, toolCalls, finishReason: 'tool_calls' };
  const finishReason: FinishReason = metadata.stopReason === 'maxTokens' ? 'length' : 'stop';
  return { text: response, toolCalls, finishReason };
}

async function run(id: number, turn: ChatTurn): Promise<void> {
  const controller = new AbortController();
  underWay.set(id, controller);
  try {
    tell({ type: 'answered', id, answer: await answer(turn, controller.signal) });
  } catch (error) {
    tell({ type: error instanceof TooLong ? 'too-long' : controller.signal.aborted ? 'given-up' : 'failed', id });
  } finally {
    underWay.delete(id);
  }
}
